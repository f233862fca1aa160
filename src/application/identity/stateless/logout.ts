import { ANONYMOUS } from '../../../domain/access/caller.js'
import type { Claims } from '../../../domain/identity/claims.js'
import { claimsOf } from '../check-access-token.js'
import { identityOperation } from '../identity-operation.js'
import { LOGOUT, recordLogout } from '../logout.js'
import type { GivenParts } from '../part-types.js'
import { hasEnded, identityIn, lastMoment, tokenLogin } from './token-login.js'

type Parts = GivenParts<['audit', 'clock', 'revocations'], ['revocations']>

/**
 * Logs out with the bearer token alone, which may have expired. Revokes the login if revocation is enabled; otherwise the tokens stay valid
 * until they expire, and the client must delete them.
 */
export const statelessLogout = identityOperation({
  ...LOGOUT,
  parts: ['audit', 'clock'],
  renamed: { revocations: 'tokenRevocations' },
  run:
    (parts: Parts, { assertPermitted }) =>
    async ({ accessToken, client }): Promise<void> => {
      const claims = claimsOf(accessToken)
      const caller = claims ? identityIn(claims) : ANONYMOUS
      assertPermitted(caller)
      if (!claims || (await isOver(parts, claims))) return
      await parts.revocations?.revoke(claims.sessionId, lastMoment(tokenLogin(claims).endsAt * 1000))
      await recordLogout(parts.audit, caller, client)
    },
})

/** A second logout does nothing, and is not audited again. */
async function isOver({ revocations, clock }: Parts, claims: Claims): Promise<boolean> {
  const at = clock()
  if (at >= lastMoment(tokenLogin(claims).endsAt * 1000)) return true
  return revocations !== undefined && (await hasEnded(revocations, claims, at))
}
