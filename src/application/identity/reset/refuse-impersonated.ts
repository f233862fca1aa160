import type { Claims } from '../../../domain/identity/claims.js'
import type { SessionKey } from '../../../domain/identity/session.js'
import { refuse } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { SessionKeys } from '../../../ports/session-keys.js'
import type { Sessions } from '../../../ports/sessions.js'
import type { Presented } from '../presented.js'

/** Refuses with `forbidden` where the request comes from somebody who acts as somebody else. */
export type RefuseImpersonated = (claims: Claims | undefined, presented: Presented) => Promise<void>

/** For logins with sessions; without them it is `refuseImpersonatedToken`. */
export function createRefuseImpersonatedSession(parts: {
  sessions: Sessions
  sessionKeys: SessionKeys
  clock: Clock
}): RefuseImpersonated {
  const { sessions, sessionKeys, clock } = parts
  return async (claims, { sessionKey }) => {
    const digest = sessionKey === undefined ? undefined : sessionKeys.digest(sessionKey as SessionKey)
    const opened = digest && (await sessions.find(digest, clock()))
    if (opened?.session.actor) throw whileImpersonating()
    // Of a token whose session has ended nothing is held against anybody.
    if (claims?.actor && (await sessions.findById(claims.sessionId, clock()))) throw whileImpersonating()
  }
}

/** By the token alone, where no session is stored. */
export const refuseImpersonatedToken: RefuseImpersonated = async (claims) => {
  if (claims?.actor) throw whileImpersonating()
}

function whileImpersonating() {
  return refuse('forbidden', 'Forbidden', 'This is not possible while you act as somebody else.')
}
