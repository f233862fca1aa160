import { ANONYMOUS } from '../../../domain/access/caller.js'
import type { Claims } from '../../../domain/identity/claims.js'
import type { Clock } from '../../../ports/clock.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { Authorize } from '../../access/authorize.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import { claimsOf } from '../check-access-token.js'
import { recordLogout, type Logout } from '../logout.js'
import { carriedLogin, identityIn, isOver, lastMoment } from './carried-login.js'

/** What a logout without sessions is made of; without `revocations` it is only audited. */
export type StatelessLogoutParts = {
  authorize: Authorize
  audit: AuditTrail
  clock: Clock
  revocations?: Revocations | undefined
}

/**
 * `Logout` by the bearer token alone, an expired one too. It revokes the login where there are
 * revocations; else the tokens live on until they expire, and the client has to forget them.
 */
export function createStatelessLogout(parts: StatelessLogoutParts): Logout {
  return async ({ accessToken, client }) => {
    const claims = claimsOf(accessToken)
    const caller = claims ? identityIn(claims) : ANONYMOUS
    parts.authorize(caller, 'auth', 'logout')
    if (!claims || (await hasEnded(parts, claims))) return
    await parts.revocations?.revoke(claims.sessionId, lastMoment(carriedLogin(claims).endsAt * 1000))
    await recordLogout(parts.audit, caller, client)
  }
}

/** Logging out twice is harmless, and not audited again. */
async function hasEnded({ revocations, clock }: StatelessLogoutParts, claims: Claims): Promise<boolean> {
  const at = clock()
  if (at >= lastMoment(carriedLogin(claims).endsAt * 1000)) return true
  return revocations !== undefined && (await isOver(revocations, claims, at))
}
