import type { Identity } from '../../domain/access/caller.js'
import type { Authorize } from '../access/authorize.js'
import type { Authenticate } from './authenticate.js'
import type { CheckedCredentials } from './presented.js'

/** Who is logged in. Refuses as `Authenticate` does, and with `forbidden` without the permission. */
export type GetIdentity = (presented: CheckedCredentials) => Promise<Identity>

/** Needs the permission `auth: get-identity`. */
export function createGetIdentity(parts: { authenticate: Authenticate; authorize: Authorize }): GetIdentity {
  return async (presented) => {
    const identity = await parts.authenticate(presented)
    parts.authorize(identity, 'auth', 'get-identity')
    return identity
  }
}
