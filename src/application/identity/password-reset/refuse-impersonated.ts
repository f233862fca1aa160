import type { Claims } from '../../../domain/identity/claims.js'
import type { ActiveSession, SessionKey } from '../../../domain/identity/session.js'
import type { Clock } from '../../../ports/clock.js'
import type { SessionKeys } from '../../../ports/session-keys.js'
import type { Sessions } from '../../../ports/sessions.js'
import type { RefuseLapsed } from '../impersonation/refuse-lapsed.js'
import { whileImpersonating } from '../impersonation/replace-login.js'
import type { CheckedCredentials } from '../presented.js'

/**
 * Refuses with `forbidden` where the request comes from an impersonation, with
 * sessions as `RefuseLapsed` where they may not do so any more.
 */
export type RefuseImpersonated = (claims: Claims | undefined, presented: CheckedCredentials) => Promise<void>

/** For logins with sessions; without them it is `refuseImpersonatedToken`. */
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
    // Of a token whose session has ended nothing is held against anybody.
    if (claims?.actor) await refuseActing(await sessions.findById(claims.sessionId, clock()))
  }
}

/** By the token alone, where no session is stored. */
export const refuseImpersonatedToken: RefuseImpersonated = async (claims) => {
  if (claims?.actor) throw whileImpersonating()
}
