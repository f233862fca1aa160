import type { Identity } from '../../domain/access/caller.js'
import type { SessionKey } from '../../domain/identity/session.js'
import { invalidToken, refuse } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Authorize } from '../access/authorize.js'
import type { ClientContext } from '../client-context.js'
import { notLoggedIn } from './authenticate.js'
import type { FactorRoles } from './factor-roles.js'
import { createIdentityOfFound } from './identity-of.js'
import type { RefuseLapsed } from './impersonation/refuse-lapsed.js'

/** What a browser sends by itself when it asks for a page. */
export type PresentedPage = {
  /** The content of the session cookie; absent where none came. */
  readonly sessionKey?: string | undefined
  /** Of HTTP, as it was sent. */
  readonly method: string
  readonly client?: ClientContext | undefined
}

/**
 * The identity that the session cookie proves alone, for what cannot send a bearer token: a page that a server renders, a
 * download, an event stream. It is weaker than `Authenticate`, since who has the cookie needs nothing else and any page of
 * the same site can have it sent along, and so it is for reading: refuses with `forbidden` any method but GET and HEAD, and
 * without the permission. Else `unauthenticated` without a cookie and `invalid-token` with one that opens no active session.
 * One read of the store; ends no session, but for an impersonation whose permission is gone.
 */
export type IdentifyPage = (page: PresentedPage) => Promise<Identity>

/** Needs the permission `auth: get-identity`. For logins with sessions; without them there is `refusePages`. */
export function createIdentifyPage(parts: {
  sessions: Sessions
  sessionKeys: SessionKeys
  refuseLapsed: RefuseLapsed
  authorize: Authorize
  clock: Clock
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}): IdentifyPage {
  const identityOfFound = createIdentityOfFound(parts.factorRoles)
  return async ({ sessionKey, method, client }) => {
    if (method !== 'GET' && method !== 'HEAD')
      throw refuse('forbidden', 'Forbidden', 'The session cookie alone is good for GET and HEAD only.')
    if (sessionKey === undefined) throw notLoggedIn()
    const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
    const found = await parts.sessions.find(digest, parts.clock())
    if (!found) throw invalidToken('the cookie opens no active session')
    await parts.refuseLapsed(found, client)
    const identity = identityOfFound(found)
    parts.authorize(identity, 'auth', 'get-identity')
    return identity
  }
}

/** Where a cookie proves nothing: without sessions, or where it is not allowed to. */
export const refusePages: IdentifyPage = () =>
  Promise.reject(
    refuse('forbidden', 'Forbidden', 'The session cookie alone proves nothing here.', 'pages are off'),
  )
