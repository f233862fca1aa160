import type { Identity } from '../../domain/access/caller.js'
import type { SessionKey } from '../../domain/identity/session.js'
import { invalidToken, refuse } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Authorize } from '../access/authorize.js'
import type { ClientContext } from '../client-context.js'
import { notLoggedIn } from './authenticate.js'
import { createIdentityOfFound, type FactorRoles } from './identity-of.js'
import type { RefuseLapsed } from './impersonation/refuse-lapsed.js'

/** The credentials that a browser sends by itself when it requests a page. */
export type PresentedPage = {
  /** The content of the session cookie, if there is one. */
  readonly sessionKey?: string | undefined
  /** The method of the HTTP request. */
  readonly method: string
  readonly client?: ClientContext | undefined
}

/**
 * The identity that the session cookie proves alone, for requests that cannot send a bearer token: a page that a server renders, a
 * download, an event stream. It is weaker than `Authenticate`: the cookie is enough, and every page of the same site can make a
 * browser send it. So it is only for reading. Refuses with `forbidden` every method except GET and HEAD, and a caller without the
 * permission; with `unauthenticated` without a cookie; and with `invalid-token` if the cookie opens no active session. One read of
 * the store. It ends no session except an impersonation that has lost its permission.
 */
export type IdentifyPage = (page: PresentedPage) => Promise<Identity>

/** Needs the permission `auth: get-identity`. For logins with sessions; stateless mode has `refusePages`. */
export function createIdentifyPage(parts: {
  sessions: Sessions
  sessionKeys: SessionKeys
  refuseLapsed: RefuseLapsed
  authorize: Authorize
  clock: Clock
  /** None if every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}): IdentifyPage {
  const identityOfFound = createIdentityOfFound(parts.factorRoles)
  return async ({ sessionKey, method, client }) => {
    if (method !== 'GET' && method !== 'HEAD')
      throw refuse('forbidden', 'Forbidden', 'The session cookie alone is accepted for GET and HEAD only.')
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

/** For stateless mode, and if the option `pages` is off. */
export const refusePages: IdentifyPage = () =>
  Promise.reject(
    refuse('forbidden', 'Forbidden', 'The session cookie alone proves nothing here.', 'pages are off'),
  )
