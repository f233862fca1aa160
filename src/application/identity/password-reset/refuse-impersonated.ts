import type { Claims } from '../../../domain/identity/claims.js'
import type { ActiveSession, SessionKey } from '../../../domain/identity/session.js'
import type { Clock } from '../../../ports/clock.js'
import type { SessionKeys } from '../../../ports/session-keys.js'
import type { Sessions } from '../../../ports/sessions.js'
import type { RefuseLapsed } from '../impersonation/refuse-lapsed.js'
import { whileImpersonating } from '../own-account.js'
import type { CheckedCredentials } from '../presented.js'

/**
 * Refuses with `forbidden` a request made during an impersonation. With sessions, refuses the request in the same way as `RefuseLapsed` if
 * the impersonation has lost its permission.
 */
export type RefuseImpersonated = (claims: Claims | undefined, presented: CheckedCredentials) => Promise<void>

/** Creates `RefuseImpersonated` for logins with sessions; stateless mode uses `refuseImpersonatedToken`. */
export function createRefuseImpersonatedSession(parts: {
  sessions: Sessions
  sessionKeys: SessionKeys
  refuseLapsed: RefuseLapsed
  clock: Clock
}): RefuseImpersonated {
  const { sessions, sessionKeys, refuseLapsed, clock } = parts
  return async (claims, { sessionKey, client }) => {
    const refuseActing = async (active: ActiveSession | undefined) => {
      if (!active?.session.actor) return
      await refuseLapsed(active, client)
      throw whileImpersonating()
    }
    if (sessionKey !== undefined)
      await refuseActing(await sessions.find(sessionKeys.digest(sessionKey as SessionKey), clock()))
    // A token whose session has ended is ignored.
    if (claims?.actor) await refuseActing(await sessions.findById(claims.sessionId, clock()))
  }
}

/** For stateless mode, in which only the token is checked. */
export const refuseImpersonatedToken: RefuseImpersonated = async (claims) => {
  if (claims?.actor) throw whileImpersonating()
}
