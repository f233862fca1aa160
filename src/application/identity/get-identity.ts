import type { Identity } from '../../domain/access/caller.js'
import type { Authorize } from '../access/authorize.js'
import type { CheckedCredentials, Presented } from './presented.js'

/** Who is logged in. Refuses as `Authenticate` does, and with `forbidden` without the permission. */
export type GetIdentity<Credentials extends Presented = CheckedCredentials> = (
  presented: Credentials,
) => Promise<Identity>

/** Needs the permission `auth: get-identity`. Takes whatever credentials `authenticate` takes. */
export function createGetIdentity<Credentials extends Presented>(parts: {
  authenticate: (presented: Credentials) => Promise<Identity>
  authorize: Authorize
}): GetIdentity<Credentials> {
  return async (presented) => {
    const identity = await parts.authenticate(presented)
    parts.authorize(identity, 'auth', 'get-identity')
    return identity
  }
}
