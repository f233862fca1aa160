import type { Account } from '../../../domain/identity/account.js'
import type { Actor } from '../../../domain/identity/session.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Clock } from '../../../ports/clock.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { TokenSigner } from '../../../ports/token-signer.js'
import type { Authorize } from '../../access/authorize.js'
import { identityOf } from '../authenticate.js'
import type { CheckAccessToken } from '../check-access-token.js'
import { checkRefreshTokens } from '../check-refresh-tokens.js'
import type { Refresh } from '../refresh.js'
import { actorIn, carriedLogin, isOver } from './carried-login.js'
import type { IssuePair } from './issue-pair.js'

/** What a refresh without sessions is made of; without `revocations` no logout is heeded. */
export type StatelessRefreshParts = {
  checkAccessToken: CheckAccessToken
  authorize: Authorize
  tokens: TokenSigner
  accounts: Accounts
  issuePair: IssuePair
  clock: Clock
  revocations?: Revocations | undefined
}

/**
 * `Refresh` by the refresh token alone. The account is looked up, so that a new pair has its roles
 * of now, and refused where it is gone, disabled or had its password changed since. Nothing is
 * stored of the token, so the same one works again until it expires.
 */
export function createStatelessRefresh(parts: StatelessRefreshParts): Refresh {
  return async ({ refreshToken, presented }) => {
    const at = parts.clock()
    const claims = await checkRefreshTokens(parts, { refreshToken, presented, at })
    const { endsAt, epoch } = carriedLogin(claims)
    if (at >= endsAt * 1000) throw invalidToken('the login is over')
    const account = await parts.accounts.find(claims.subject)
    if (!isLiving(account, epoch)) throw invalidToken('the account is gone, disabled or in another epoch')
    const actor = actorIn(claims)
    await refuseEndedActor(parts, actor)
    if (parts.revocations && (await isOver(parts.revocations, claims, at)))
      throw invalidToken('the login was revoked')
    const login = { sessionId: claims.sessionId, endsAt: endsAt * 1000, actor }
    const session = { id: login.sessionId, endsAt: login.endsAt, ...(actor && { actor }) }
    parts.authorize(identityOf({ account, session }), 'auth', 'refresh')
    return await parts.issuePair(account, login, at)
  }
}

function isLiving(account: Account | undefined, epoch: number): account is Account {
  return account?.disabledAt === undefined && account?.epoch === epoch
}

async function refuseEndedActor(
  { accounts }: StatelessRefreshParts,
  actor: Actor | undefined,
): Promise<void> {
  if (actor === undefined) return
  const account = await accounts.find(actor.accountId)
  if (!isLiving(account, actor.epoch))
    throw invalidToken("the actor's account is gone, disabled or in another epoch")
}
