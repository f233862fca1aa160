import { invalidToken } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Clock } from '../../../ports/clock.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { TokenSigner } from '../../../ports/token-signer.js'
import type { Authorize } from '../../access/authorize.js'
import type { FactorRoles } from '../factor-roles.js'
import { identityOf } from '../identity-of.js'
import { checkRefreshTokens } from '../check-refresh-tokens.js'
import type { Refresh } from '../refresh.js'
import { actorIn, carriedLogin, isActive, isRevoked } from './carried-login.js'
import { currentFactor, type CurrentFactorParts } from './current-factor.js'
import type { RefuseLapsedLogin } from './refuse-lapsed.js'
import type { RenewPair } from './renew-pair.js'

/** What a refresh without sessions is made of; without `revocations` no logout is heeded. */
export type StatelessRefreshParts = CurrentFactorParts & {
  authorize: Authorize
  tokens: TokenSigner
  accounts: Accounts
  renewPair: RenewPair
  refuseLapsed: RefuseLapsedLogin
  clock: Clock
  revocations?: Revocations | undefined
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}

/**
 * `Refresh` by the refresh token alone. The account is looked up, so that a new pair has its roles
 * of now, and refused where it is gone, disabled or had its password changed since. What becomes of the token is
 * `RenewPair`'s.
 */
export function createStatelessRefresh(parts: StatelessRefreshParts): Refresh {
  return async ({ refreshToken, presented }) => {
    const at = parts.clock()
    const claims = await checkRefreshTokens(parts.tokens, { refreshToken, presented, at })
    const { endsAt, epoch, factor: proved } = carriedLogin(claims)
    if (at >= endsAt * 1000) throw invalidToken('the login is over')
    const account = await parts.accounts.find(claims.subject)
    if (!isActive(account, epoch)) throw invalidToken('the account is gone, disabled or in another epoch')
    await parts.refuseLapsed(claims, presented.client)
    if (parts.revocations && (await isRevoked(parts.revocations, claims, at)))
      throw invalidToken('the login was revoked')
    const actor = actorIn(claims)
    const factor = await currentFactor(parts, actor?.accountId ?? account.id, proved)
    const login = { sessionId: claims.sessionId, endsAt: endsAt * 1000, actor, factor }
    const proven = { ...(actor && { actor }), ...(factor !== undefined && { factor: true as const }) }
    const session = { id: login.sessionId, endsAt: login.endsAt, ...proven }
    parts.authorize(identityOf({ account, session }, parts.factorRoles), 'auth', 'refresh')
    return await parts.renewPair({ account, login, claims, client: presented.client, at })
  }
}
