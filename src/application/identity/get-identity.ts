import type { Identity } from '../../domain/access/caller.js'
import { identityOperation } from './identity-operation.js'
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
