import type { Identity } from '../../domain/access/caller.js'
import type { Account } from '../../domain/identity/account.js'
import type { SessionId, SessionKey } from '../../domain/identity/session.js'
import { invalidToken, refuse, type Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { CheckAccessToken } from './check-access-token.js'
import type { Presented } from './presented.js'

/**
 * The identity that the cookie and the bearer token prove together: the token must be authentic
 * and unexpired, the key must open a living session, and both must name the same session. One
 * read of the store. Refuses with `unauthenticated` where nothing is presented, else with
 * `invalid-token`; ends nobody's session.
 */
export type Authenticate = (presented: Presented) => Promise<Identity>

export function createAuthenticate(parts: {
  checkAccessToken: CheckAccessToken
  sessions: Sessions
  sessionKeys: SessionKeys
  clock: Clock
}): Authenticate {
  return async ({ accessToken, sessionKey }) => {
    if (accessToken === undefined && sessionKey === undefined) throw notLoggedIn()
    const claims = await parts.checkAccessToken(accessToken)
    if (!claims || sessionKey === undefined) throw invalidToken('one of cookie and bearer token is missing')
    const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
    const found = await parts.sessions.find(digest, parts.clock())
    if (!found) throw invalidToken('the cookie opens no living session')
    if (found.session.id !== claims.sessionId || found.account.id !== claims.subject) {
      throw invalidToken('cookie and bearer token are of different sessions')
    }
    return identityOf(found.account, found.session.id)
  }
}

export function identityOf(account: Account, sessionId: SessionId): Identity {
  return { kind: 'account', accountId: account.id, email: account.email, roles: account.roles, sessionId }
}

/** The refusal where nothing is presented. */
export function notLoggedIn(): Refusal {
  return refuse('unauthenticated', 'InvalidToken', 'Invalid authentication token.', 'nothing is presented')
}
