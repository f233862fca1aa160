import { ANONYMOUS } from '../../domain/access/caller.js'
import type { Claims } from '../../domain/identity/claims.js'
import type { LivingSession, SessionKey } from '../../domain/identity/session.js'
import { invalidToken } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Authorize } from '../access/authorize.js'
import { identityOf } from './authenticate.js'
import type { CheckAccessToken } from './check-access-token.js'
import type { Presented } from './presented.js'

/**
 * Ends the session that cookie and bearer token name together; an expired but authentic token
 * is enough. Harmless where nothing is presented or the token's session has ended already.
 * Refuses with `invalid-token` for anything else: a token that is not authentic, half of the
 * credentials of a living session, credentials of different sessions (none of them is ended).
 */
export type Logout = (presented: Presented) => Promise<void>

export type LogoutParts = {
  checkAccessToken: CheckAccessToken
  authorize: Authorize
  sessions: Sessions
  sessionKeys: SessionKeys
  clock: Clock
}

export function createLogout(parts: LogoutParts): Logout {
  return async ({ accessToken, sessionKey }) => {
    const claims = await parts.checkAccessToken(accessToken, { expired: 'accepted' })
    const living = await sessionOf(parts, claims, sessionKey as SessionKey | undefined)
    parts.authorize(living ? identityOf(living.account, living.session.id) : ANONYMOUS, 'auth', 'logout')
    if (living) await parts.sessions.end(living.session.id)
  }
}

/** The living session to end, `undefined` where there is nothing left to end. */
async function sessionOf(
  parts: LogoutParts,
  claims: Claims | undefined,
  cookie: SessionKey | undefined,
): Promise<LivingSession | undefined> {
  if (claims === undefined) {
    if (cookie === undefined) return undefined
    throw invalidToken('the bearer token is missing')
  }
  const at = parts.clock()
  const digest = cookie && parts.sessionKeys.digest(cookie)
  const opened = digest && (await parts.sessions.find(digest, at))
  if (opened) {
    if (opened.session.id === claims.sessionId) return opened
    throw invalidToken('cookie and bearer token are of different sessions')
  }
  const named = await parts.sessions.findById(claims.sessionId, at)
  // A refresh that won the race against this logout must not keep the session alive, however short the window.
  if (named && digest !== undefined && named.session.previous?.keyDigest === digest) return named
  if (named) throw invalidToken('the cookie of a living session is missing or another')
  return undefined
}
