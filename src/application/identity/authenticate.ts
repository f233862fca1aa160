import { ANONYMOUS, type Identity } from '../../domain/access/caller.js'
import type { ActiveSession, SessionKey } from '../../domain/identity/session.js'
import { invalidToken, refuse, type Refusal } from '../../domain/refusal.js'
import type { Revocations } from '../../ports/sessions.js'
import type { Clock } from '../../ports/system.js'
import type { AuditEntry } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import type { GivenShared } from '../shared-parts.js'
import { createIdentityOfFound, type FoundParts } from './identity-of.js'
import type { RefuseLapsed, RefuseLapsedLogin } from './impersonation/guards.js'
import { unexpiredClaims, withCheckedToken, type CheckAccessToken, type Presented } from './presented.js'
import { identityIn, isRevoked } from './token-login.js'

/**
 * Resolves with the identity that the cookie and the bearer token prove together: the token must be authentic and unexpired, the session
 * key must belong to an active session, and both must belong to the same session. Reads the store once. Audits a request whose cookie and
 * token belong to different sessions. Refuses with `unauthenticated` if there are no credentials, otherwise with `invalid-token`. Ends a
 * session only if it is an impersonation that has lost its permission.
 */
export type Authenticate = (presented: Presented) => Promise<Identity>

export function createAuthenticate(
  parts: FoundParts &
    GivenShared<['sessions', 'sessionKeys', 'audit', 'clock']> & {
      checkAccessToken: CheckAccessToken
      refuseLapsed: RefuseLapsed
    },
): Authenticate {
  const identityOfFound = createIdentityOfFound(parts)
  return withCheckedToken<Presented, Identity>(async ({ accessToken, sessionKey, client }) => {
    if (accessToken === undefined && sessionKey === undefined) throw notLoggedIn()
    const at = parts.clock()
    const claims = unexpiredClaims(accessToken, at)
    if (!claims || sessionKey === undefined) throw invalidToken('the cookie or the bearer token is missing')
    const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
    const found = await parts.sessions.find(digest, at)
    if (!found) throw invalidToken('the cookie does not belong to an active session')
    if (found.session.id !== claims.sessionId || found.account.id !== claims.subject) {
      await parts.audit.tally(mismatch(found, client))
      throw invalidToken('the cookie and the bearer token belong to different sessions')
    }
    await parts.refuseLapsed(found, client)
    return identityOfFound(found)
  }, parts.checkAccessToken)
}

/** Returns the audit entry for a cookie and a token that belong to different sessions; either credential may be stolen. */
export function mismatch({ account }: ActiveSession, client: ClientContext | undefined): AuditEntry {
  return { event: 'binding.mismatch', caller: ANONYMOUS, subject: account.id, outcome: 'failure', client }
}

export function notLoggedIn(): Refusal {
  return refuse('unauthenticated', 'InvalidToken', 'Invalid authentication token.', 'nothing is presented')
}

/**
 * Creates an `Authenticate` that needs only the bearer token: the identity has the roles that the account had when the token was issued. If
 * revocation is enabled, reads only the revocations from the store; for an impersonation, also reads the current roles of both accounts.
 */
export function createStatelessAuthenticate(parts: {
  checkAccessToken: CheckAccessToken
  refuseLapsed: RefuseLapsedLogin
  clock: Clock
  revocations?: Revocations | undefined
}): Authenticate {
  const { revocations } = parts
  return withCheckedToken<Presented, Identity>(async ({ accessToken, client }) => {
    const at = parts.clock()
    const claims = unexpiredClaims(accessToken, at)
    if (!claims) throw notLoggedIn()
    if (!revocations) return identityIn(claims)
    if (await isRevoked(revocations, claims, at)) throw invalidToken('the login was revoked')
    await parts.refuseLapsed(claims, client)
    return identityIn(claims)
  }, parts.checkAccessToken)
}
