import { REQUIRED } from '../../domain/messages.js'
import { accepted } from '../../domain/parsed.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import { removeAccount } from '../accounts/remove-account.js'
import { parseRequired, optional, parseFields, text } from '../fields.js'
import { identityOperation } from './identity-operation.js'
import {
  isOwnPassword,
  notValid,
  OWN_PASSWORD_PARTS,
  ownAccount,
  ownLogin,
  type OwnRequest,
} from './own-account.js'
import type { GivenParts } from './part-types.js'
import { formText, formParser } from './presented.js'

const PARTS = [
  ...OWN_PASSWORD_PARTS,
  'apiKeys',
  'audit',
  'auditLog',
  'clock',
  'mailQueue',
  'proveFactor',
] as const
const OPTIONAL = ['apiKeys', 'auditLog', 'mailQueue', 'proveFactor'] as const
type Parts = GivenParts<typeof PARTS, typeof OPTIONAL>

/**
 * Permanently deletes the logged-in account with all data about it; see `removeAccount`. Requires the password of the account, and a code
 * if a second factor is active. Projects and pets remain, and the audit log keeps the account ID. Refuses the call with the first of these
 * codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: delete-account`;
 * - `malformed`: the password or the code is not a string;
 * - `invalid`: no password;
 * - `too-many-attempts`: too many attempts on this account or from this network, counted like logins;
 * - `invalid` with `not-valid`: the password is wrong (the check costs exactly one password hash);
 * - `overloaded`: too many passwords are being hashed;
 * - `invalid`: the code is missing although a second factor is active; `too-many-attempts`: too many codes were tried for this account;
 *   `invalid` with `not-valid`: the code is wrong or was used before;
 * - `invalid-token`: another call has removed the account, or ended this login, in the meantime.
 *
 * Each deletion is audited, and so is each failure caused by the password or the code.
 */
export const deleteAccount = identityOperation({
  permission: ['auth', 'delete-account'],
  input: formParser({ password: formText, code: optional(text) }),
  parts: PARTS,
  optional: OPTIONAL,
  run:
    (parts: Parts, checks) =>
    async (input): Promise<void> => {
      const own = await ownLogin(parts, input, checks)
      const { password } = parseFields({ password: parseRequired(own.password, accepted) })
      const { caller, client } = own
      const { accountId: id, epoch } = caller
      const event = 'account.delete'
      const wrong = await wrongPart(parts, { ...own, password })
      if (wrong) {
        await parts.audit.record({ event, caller, subject: id, outcome: 'failure', client })
        throw notValid(wrong)
      }
      if ((await removeAccount(parts, id, { event, caller, epoch })) === 'unknown')
        throw invalidToken('the account was removed or disabled, or its epoch has changed')
    },
})

type Proof = OwnRequest & { readonly password: string; readonly code?: string | undefined }

/** The password is checked first, because checking a code uses it up. */
async function wrongPart(
  parts: Parts,
  { caller, client, password, code }: Proof,
): Promise<'password' | 'code' | undefined> {
  const isRight = await isOwnPassword(parts, caller, { password, client })
  // The account is read after the password check; otherwise, if another call has removed the account, the refusal would say that the
  // password is wrong.
  const { secondFactor } = await ownAccount(parts, caller)
  if (!isRight) return 'password'
  if (secondFactor === undefined) return undefined
  if (!code) throw new Refusal('invalid', [{ field: 'code', type: 'Required', message: REQUIRED }])
  const { accountId: id, email } = caller
  return (await parts.proveFactor?.({ id, email }, code, client)) ? undefined : 'code'
}
