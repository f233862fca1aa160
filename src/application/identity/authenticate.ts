import { ANONYMOUS, type Identity } from '../../domain/access/caller.js'
import type { Account } from '../../domain/identity/account.js'
import type { LivingSession, Session, SessionKey } from '../../domain/identity/session.js'
import { invalidToken, refuse, type Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { CheckAccessToken } from './check-access-token.js'
import type { AuditEntry, AuditTrail } from '../audit/audit-trail.js'
import type { Origin } from '../origin.js'
import type { Presented } from './presented.js'

/**
 * The identity that the cookie and the bearer token prove together: the token must be authentic
 * and unexpired, the key must open a living session, and both must name the same session. One
 * read of the store. Credentials of different sessions go on record. Refuses with `unauthenticated` where nothing is presented, else with
 * `invalid-token`; ends nobody's session.
 */
export type Authenticate = (presented: Presented) => Promise<Identity>

/** For logins with sessions; without them `createStatelessAuthenticate` is its counterpart. */
export function createAuthenticate(parts: {
  checkAccessToken: CheckAccessToken
  sessions: Sessions
  sessionKeys: SessionKeys
  audit: AuditTrail
  clock: Clock
}): Authenticate {
  return async ({ accessToken, sessionKey, origin }) => {
    if (accessToken === undefined && sessionKey === undefined) throw notLoggedIn()
    const claims = await parts.checkAccessToken(accessToken)
    if (!claims || sessionKey === undefined) throw invalidToken('one of cookie and bearer token is missing')
    const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
    const found = await parts.sessions.find(digest, parts.clock())
    if (!found) throw invalidToken('the cookie opens no living session')
    if (found.session.id !== claims.sessionId || found.account.id !== claims.subject) {
      await parts.audit.record(mismatch(found, origin))
      throw invalidToken('cookie and bearer token are of different sessions')
    }
    return identityOf(found)
  }
}

/** Who the account of this login is to whatever asks for a caller. */
export function identityOf({ account, session }: { account: Account; session: Login }): Identity {
  const { id: accountId, email, roles, epoch } = account
  const { id: sessionId, endsAt, actor } = session
  return { kind: 'account', accountId, email, roles, sessionId, epoch, endsAt, ...(actor && { actor }) }
}

type Login = Pick<Session, 'id' | 'endsAt' | 'actor'>

/** Somebody has a cookie and a token that do not belong together: one of the two may be stolen. */
export function mismatch({ account }: LivingSession, origin: Origin | undefined): AuditEntry {
  return { event: 'binding.mismatch', caller: ANONYMOUS, subject: account.id, outcome: 'failure', origin }
}

/** The refusal where nothing is presented. */
export function notLoggedIn(): Refusal {
  return refuse('unauthenticated', 'InvalidToken', 'Invalid authentication token.', 'nothing is presented')
}
