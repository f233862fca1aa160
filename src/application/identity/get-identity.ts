import type { Identity } from '../../domain/access/caller.js'
import { identityOperation } from './identity-operation.js'
import { presentedInput, type Presented } from './presented.js'

/** Returns the identity of the caller; refuses as `Authenticate` does, and with `forbidden` without the permission. */
export type GetIdentity = (presented: Presented) => Promise<Identity>

/** The identity of the caller. Refuses as `Authenticate` does, and with `forbidden` without the permission. */
export const getIdentity = identityOperation({
  permission: ['auth', 'get-identity'],
  input: presentedInput,
  parts: ['authenticate'],
  run:
    ({ authenticate }, { permit }) =>
    async (presented): Promise<Identity> => {
      const identity = await authenticate(presented)
      permit(identity)
      return identity
    },
})
