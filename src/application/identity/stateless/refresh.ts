import { invalidToken } from '../../../domain/refusal.js'
import type { Revocations } from '../../../ports/revocations.js'
import { checkRefreshTokens, REFRESH } from '../check-refresh-tokens.js'
import { identityOf } from '../identity-of.js'
import { identityOperation } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import { ownAccount } from '../own-account.js'
import type { GivenParts } from '../part-types.js'
import { sessionOf } from './issue-pair.js'
import type { RefuseLapsedLogin } from './refuse-lapsed.js'
import { actorIn, currentFactor, isRevoked, tokenLogin } from './token-login.js'

const PARTS = ['tokens', 'accounts', 'renewPair', 'clock', 'metrics', 'factorRoles', 'secondFactors'] as const
type Parts = GivenParts<typeof PARTS, ['secondFactors']> & {
  readonly refuseLapsed: RefuseLapsedLogin
  /** Without revocations, a logout has no effect on tokens. */
  readonly revocations?: Revocations | undefined
}

/**
 * Refreshes a login with the refresh token alone. The new pair has the current roles of the account. Refuses with `invalid-token` if the
 * account was deleted or disabled or its password was changed since the token was issued, and with `forbidden` if the roles do not fit into
 * a token. `RenewPair` decides what happens to the refresh token.
 */
export const statelessRefresh = identityOperation({
  ...REFRESH,
  parts: PARTS,
  optional: ['secondFactors'],
  renamed: { refuseLapsed: 'refuseLapsedLogin', revocations: 'tokenRevocations' },
  run:
    (parts: Parts, { assertPermitted }) =>
    async (input): Promise<Issued> => {
      const { client } = input.presented
      const { claims, at } = await checkRefreshTokens(parts, input)
      const { endsAt, epoch, factor: provedFactor, proved, passkey } = tokenLogin(claims)
      if (at >= endsAt * 1000) throw invalidToken('the login has ended')
      const account = await ownAccount(parts, { accountId: claims.subject, epoch })
      await parts.refuseLapsed(claims, client)
      if (parts.revocations && (await isRevoked(parts.revocations, claims, at)))
        throw invalidToken('the login was revoked')
      const actor = actorIn(claims)
      const factor = await currentFactor(parts, actor?.accountId ?? account.id, provedFactor)
      const login = {
        sessionId: claims.sessionId,
        endsAt: endsAt * 1000,
        actor,
        factor,
        proved,
        passkey,
      }
      assertPermitted(
        identityOf({ account, session: sessionOf(login), actorFactor: factor }, parts.factorRoles),
      )
      const issued = await parts.renewPair({ account, login, claims, client, at })
      // Successes are counted here, because the wrapped store counts only replays.
      parts.metrics?.refreshTried('renewed')
      return issued
    },
})
