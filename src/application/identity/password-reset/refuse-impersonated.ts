import { ANONYMOUS } from '../../../domain/access/caller.js'
import type { Claims } from '../../../domain/identity/claims.js'
import type { ActiveSession, SessionKey } from '../../../domain/identity/session.js'
import { whileImpersonating } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/system.js'
import type { RefuseLapsed } from '../impersonation/refuse-lapsed.js'
import { unexpiredClaims } from '../check-access-token.js'
import type { OwnRequest, Reading } from '../own-account.js'
import type { CheckedCredentials } from '../presented.js'
import type { GivenShared } from '../../shared-parts.js'

/**
 * Refuses with `forbidden` a request made during an impersonation. With sessions, refuses the request in the same way as `RefuseLapsed` if
 * the impersonation has lost its permission.
 */
export type RefuseImpersonated = (claims: Claims | undefined, presented: CheckedCredentials) => Promise<void>

/**
 * Resolves with the validated input of a request that needs no login. Refuses the call with the first of these codes that applies:
 * - `invalid-token`: the access token is not authentic or has expired;
 * - `unauthenticated`: anonymous callers do not have the permission;
 * - `forbidden`: the request is made during an impersonation;
 * - `malformed`: a member of the form has the wrong type.
 */
export async function openRequest<Members extends object>(
  { refuseImpersonated, clock }: { readonly refuseImpersonated: RefuseImpersonated; readonly clock: Clock },
  input: { readonly presented: CheckedCredentials },
  { assertPermitted, read }: Reading<Members>,
): Promise<Members & Pick<OwnRequest, 'client'>> {
  const { presented } = input
  const claims = unexpiredClaims(presented.accessToken, clock())
  assertPermitted(ANONYMOUS)
  await refuseImpersonated(claims, presented)
  return { ...read(input as never), client: presented.client }
}

/** Creates `RefuseImpersonated` for logins with sessions; stateless mode uses `refuseImpersonatedToken`. */
export function createRefuseImpersonatedSession(
  parts: GivenShared<['sessions', 'sessionKeys', 'clock']> & { refuseLapsed: RefuseLapsed },
): RefuseImpersonated {
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
