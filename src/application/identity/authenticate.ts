import { ANONYMOUS, type Identity } from '../../domain/access/caller.js'
import type { ActiveSession, SessionKey } from '../../domain/identity/session.js'
import { invalidToken, refuse, type Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import { unexpiredClaims } from './check-access-token.js'
import type { AuditEntry, AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import type { FactorRoles } from './factor-roles.js'
import { createIdentityOfFound } from './identity-of.js'
import type { RefuseLapsed } from './impersonation/refuse-lapsed.js'
import type { CheckedCredentials } from './presented.js'

/**
 * The identity that the cookie and the bearer token prove together: the token must be authentic
 * and unexpired, the key must open an active session, and both must name the same session. One
 * read of the store. Credentials of different sessions are audited. Refuses with `unauthenticated`
 * where nothing is presented, else with `invalid-token`; ends no session, but for an
 * impersonation whose permission is gone.
 */
export type Authenticate = (presented: CheckedCredentials) => Promise<Identity>

/** For logins with sessions; without them `createStatelessAuthenticate` is its counterpart. */
export function createAuthenticate(parts: {
  sessions: Sessions
  sessionKeys: SessionKeys
  refuseLapsed: RefuseLapsed
  audit: AuditTrail
  clock: Clock
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}): Authenticate {
  const identityOfFound = createIdentityOfFound(parts.factorRoles)
  return async ({ accessToken, sessionKey, client }) => {
    if (accessToken === undefined && sessionKey === undefined) throw notLoggedIn()
    const at = parts.clock()
    const claims = unexpiredClaims(accessToken, at)
    if (!claims || sessionKey === undefined) throw invalidToken('one of cookie and bearer token is missing')
    const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
    const found = await parts.sessions.find(digest, at)
    if (!found) throw invalidToken('the cookie opens no active session')
    if (found.session.id !== claims.sessionId || found.account.id !== claims.subject) {
      await parts.audit.tally(mismatch(found, client))
      throw invalidToken('cookie and bearer token are of different sessions')
    }
    await parts.refuseLapsed(found, client)
    return identityOfFound(found)
  }
}

/** A client has a cookie and a token that do not belong together: one of the two may be stolen. */
export function mismatch({ account }: ActiveSession, client: ClientContext | undefined): AuditEntry {
  return { event: 'binding.mismatch', caller: ANONYMOUS, subject: account.id, outcome: 'failure', client }
}

/** The refusal where nothing is presented. */
export function notLoggedIn(): Refusal {
  return refuse('unauthenticated', 'InvalidToken', 'Invalid authentication token.', 'nothing is presented')
}
