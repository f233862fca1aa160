import type { Identity } from '../../domain/access/caller.js'
import type { SessionKey } from '../../domain/identity/session.js'
import { invalidToken, refuse } from '../../domain/refusal.js'
import type { ClientContext } from '../client-context.js'
import type { GivenShared } from '../shared-parts.js'
import { notLoggedIn } from './authenticate.js'
import { createIdentityOfFound, type FoundParts } from './identity-of.js'
import { identityOperation } from './identity-operation.js'
import type { RefuseLapsed } from './impersonation/guards.js'
import { presentedInput, type Presented } from './presented.js'

/** Resolves with the identity of the caller; see `getIdentity`. */
export type GetIdentity = (presented: Presented) => Promise<Identity>

/**
 * Resolves with the identity of the caller. Refuses in the same cases as `Authenticate`, and with `forbidden` if the caller lacks the
 * permission.
 */
export const getIdentity = identityOperation({
  permission: ['auth', 'get-identity'],
  input: presentedInput,
  parts: ['authenticate'],
  run:
    ({ authenticate }, { assertPermitted }) =>
    async (presented): Promise<Identity> => {
      const identity = await authenticate(presented)
      assertPermitted(identity)
      return identity
    },
})

/** The credentials that a browser sends automatically when it requests a page. */
export type PresentedPage = {
  /** The content of the session cookie, if the request has a session cookie. */
  readonly sessionKey?: string | undefined
  readonly method: string
  readonly client?: ClientContext | undefined
}

/**
 * Resolves with the identity that the session cookie alone proves, for requests that cannot send a bearer token: a server-rendered page, a
 * download, an event stream. Weaker than `Authenticate`: the cookie is enough, and any page of the same site can make a browser send the
 * cookie. Use the identity only for reading. Refuses with `forbidden` any method except GET and HEAD, and any caller without the
 * permission. Refuses a request without a cookie with `unauthenticated`, and a cookie that belongs to no active session with
 * `invalid-token`. Reads the store once. Ends a session only if it is an impersonation that has lost its permission.
 */
export type IdentifyPage = (page: PresentedPage) => Promise<Identity>

/** Requires the permission `auth: get-identity`. For logins with sessions; stateless mode uses `refusePages`. */
export function createIdentifyPage(
  parts: FoundParts &
    GivenShared<['sessions', 'sessionKeys', 'authorize', 'clock']> & { refuseLapsed: RefuseLapsed },
): IdentifyPage {
  const identityOfFound = createIdentityOfFound(parts)
  return async ({ sessionKey, method, client }) => {
    if (method !== 'GET' && method !== 'HEAD')
      throw refuse('forbidden', 'Forbidden', 'The session cookie alone is accepted for GET and HEAD only.')
    if (sessionKey === undefined) throw notLoggedIn()
    const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
    const found = await parts.sessions.find(digest, parts.clock())
    if (!found) throw invalidToken('the cookie does not belong to an active session')
    await parts.refuseLapsed(found, client)
    const identity = identityOfFound(found)
    parts.authorize(identity, 'auth', 'get-identity')
    return identity
  }
}

/** Used in stateless mode and if the option `pages` is off. */
export const refusePages: IdentifyPage = () =>
  Promise.reject(
    refuse('forbidden', 'Forbidden', 'The session cookie alone is not accepted here.', 'pages are off'),
  )
