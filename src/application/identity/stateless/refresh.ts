import { invalidToken } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Clock } from '../../../ports/clock.js'
import type { Metrics } from '../../../ports/metrics.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { TokenSigner } from '../../../ports/token-signer.js'
import { checkRefreshTokens } from '../check-refresh-tokens.js'
import { identityOf, type FactorRoles } from '../identity-of.js'
import { identityOperation } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { ownAccount } from '../own-account.js'
import { REFRESH } from '../refresh.js'
import { currentFactor, type CurrentFactorParts } from './current-factor.js'
import { sessionOf } from './issue-pair.js'
import type { RefuseLapsedLogin } from './refuse-lapsed.js'
import type { RenewPair } from './renew-pair.js'
import { actorIn, isRevoked, tokenLogin } from './token-login.js'

type Parts = CurrentFactorParts & {
  tokens: TokenSigner
  accounts: Accounts
  renewPair: RenewPair
  refuseLapsed: RefuseLapsedLogin
  clock: Clock
  /** Without it a logout has no effect on tokens. */
  revocations?: Revocations | undefined
  /** None if every role counts in every login. */
  factorRoles?: FactorRoles | undefined
  /** The store does not see a success, so it is counted here. */
  metrics?: Metrics | undefined
}

/**
 * `refresh` by the refresh token alone. The new pair has the current roles of the account. Refuses with `invalid-token` if the
 * account is gone, disabled, or its password was changed since. `RenewPair` decides what happens to the token.
 */
export const statelessRefresh = identityOperation({
  ...REFRESH,
  parts: ['tokens', 'accounts', 'renewPair', 'clock', 'metrics', 'factorRoles', 'secondFactors'],
  optional: ['secondFactors'],
  renamed: { refuseLapsed: 'refuseLapsedLogin', revocations: 'tokenRevocations' },
  run:
    (parts: Parts, { permit, read }) =>
    async (input): Promise<Issued> => {
      const { presented } = input
      const at = parts.clock()
      const claims = await checkRefreshTokens(parts.tokens, { ...read(input), presented, at })
      const { endsAt, epoch, factor: proved } = tokenLogin(claims)
      if (at >= endsAt * 1000) throw invalidToken('the login has ended')
      const account = await ownAccount(parts, { accountId: claims.subject, epoch })
      await parts.refuseLapsed(claims, presented.client)
      if (parts.revocations && (await isRevoked(parts.revocations, claims, at)))
        throw invalidToken('the login was revoked')
      const actor = actorIn(claims)
      const factor = await currentFactor(parts, actor?.accountId ?? account.id, proved)
      const login = { sessionId: claims.sessionId, endsAt: endsAt * 1000, actor, factor }
      permit(identityOf({ account, session: sessionOf(login) }, parts.factorRoles))
      const issued = await parts.renewPair({ account, login, claims, client: presented.client, at })
      parts.metrics?.refreshTried('renewed')
      return issued
    },
})
