import { optional, text } from '../fields.js'
import { identityOperation } from './identity-operation.js'
import type { Issued } from './issue.js'
import { OWN_PROOF_PARTS, ownLogin, provenAccount } from './own-account.js'
import type { GivenParts } from './part-types.js'
import { accountByPasskey } from './passkeys/confirm-with-passkey.js'
import { passkeyResponse } from './passkeys/response.js'
import { formParser } from './presented.js'

const PARTS = [...OWN_PROOF_PARTS, 'provePasskey', 'renewLogin', 'clock'] as const
type Parts = GivenParts<typeof PARTS, ['proveFactor', 'provePasskey']>

/**
 * Confirms that the owner of the login is present, so that the login meets the conditions of the permissions (`fresh`, `factor`) again.
 * Requires the password, and a code if a second factor is active; or `passkey`, the response to the options of `beginPasskeyConfirmation`,
 * which proves both (ignored if passkeys are off). The login gets new credentials and keeps its ID and its end (in stateless mode, the ID
 * changes). Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: confirm`;
 * - `malformed`: the password or the code is not a string, or the passkey has the wrong form;
 * - the codes of `provenAccount` or, with a passkey, of `accountByPasskey`;
 * - `invalid-token`: the login has ended in the meantime.
 *
 * Audits each confirmation, and each failure caused by the password, the code or the passkey.
 */
export const confirmLogin = identityOperation({
  permission: ['auth', 'confirm'],
  input: formParser({ password: optional(text), code: optional(text), passkey: optional(passkeyResponse) }),
  parts: PARTS,
  optional: ['proveFactor', 'provePasskey'],
  run:
    (parts: Parts, checks) =>
    async (input): Promise<Issued> => {
      const own = await ownLogin(parts, input, checks)
      const { caller, client } = own
      const { provePasskey } = parts
      const passkey = provePasskey && own.passkey
      const account =
        provePasskey && passkey
          ? await accountByPasskey({ ...parts, provePasskey }, own, passkey)
          : await provenAccount(parts, own, 'login.confirm')
      const issued = await parts.renewLogin(caller, {
        account,
        presented: input.presented,
        at: parts.clock(),
        ...(passkey && { passkey: true }),
      })
      await parts.audit.record({ event: 'login.confirm', caller, subject: caller.accountId, client })
      return issued
    },
})
