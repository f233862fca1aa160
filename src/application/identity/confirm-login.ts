import { identityOperation } from './identity-operation.js'
import type { Issued } from './issue.js'
import { OWN_PROOF_PARTS, ownLogin, ownProof, provenAccount } from './own-account.js'
import type { GivenParts } from './part-types.js'

const PARTS = [...OWN_PROOF_PARTS, 'renewLogin', 'clock'] as const
type Parts = GivenParts<typeof PARTS, ['proveFactor']>

/**
 * Confirms that the owner of the login is present, so that the login meets the conditions of the permissions (`fresh`, `factor`) again.
 * Requires the password, and a code if a second factor is active. The login gets new credentials and keeps its ID and its end (in stateless
 * mode, the ID changes). Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: confirm`;
 * - `malformed`: the password or the code is not a string;
 * - the codes of `provenAccount`;
 * - `invalid-token`: the login has ended in the meantime.
 *
 * Each confirmation is audited, and so is each failure caused by the password or the code.
 */
export const confirmLogin = identityOperation({
  permission: ['auth', 'confirm'],
  input: ownProof,
  parts: PARTS,
  optional: ['proveFactor'],
  run:
    (parts: Parts, checks) =>
    async (input): Promise<Issued> => {
      const since = parts.clock()
      const own = await ownLogin(parts, input, checks)
      const { caller, client } = own
      const account = await provenAccount(parts, own, 'login.confirm')
      const issued = await parts.renewLogin(caller, {
        account,
        presented: input.presented,
        since,
        at: parts.clock(),
      })
      await parts.audit.record({ event: 'login.confirm', caller, subject: caller.accountId, client })
      return issued
    },
})
