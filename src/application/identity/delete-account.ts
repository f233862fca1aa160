import { REQUIRED } from '../../domain/messages.js'
import { accepted } from '../../domain/parsed.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import { removeAccount } from '../accounts/remove-account.js'
import { given, optional, parseFields, text } from '../fields.js'
import { identityOperation } from './identity-operation.js'
import { isOwnPassword, notValid, OWN_PASSWORD_PARTS, ownAccount, ownLogin, type Own } from './own-account.js'
import type { GivenParts } from './part-types.js'
import { entered, form } from './presented.js'

const PARTS = [...OWN_PASSWORD_PARTS, 'audit', 'auditLog', 'mailQueue', 'proveFactor'] as const
const OPTIONAL = ['auditLog', 'mailQueue', 'proveFactor'] as const
type Parts = GivenParts<typeof PARTS, typeof OPTIONAL>

/**
 * Deletes the account that is logged in for good, with all data about it; see `removeAccount`. Needs its password, and a code if
 * a second factor is active. Projects and pets stay, and the audit log keeps the account ID. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or is not permitted `auth: delete-account`;
 * - `malformed`: password or code is not a string;
 * - `invalid`: no password;
 * - `too-many-attempts`: of this account or from this network, which are counted like logins;
 * - `invalid` with `not-valid`: the password is wrong, which costs exactly one password hash;
 * - `overloaded`: too many passwords are being hashed;
 * - `invalid`: no code, if a factor is active; `too-many-attempts`: of codes of this account; `invalid` with `not-valid`: the
 *   code is wrong or was used;
 * - `invalid-token`: another call has removed the account, or ended this login, in the meantime.
 *
 * A deletion is audited, and also a failure because of the password or the code.
 */
export const deleteAccount = identityOperation({
  permission: ['auth', 'delete-account'],
  input: form({ password: entered, code: optional(text) }),
  parts: PARTS,
  optional: OPTIONAL,
  run:
    (parts: Parts, checks) =>
    async (input): Promise<void> => {
      const own = await ownLogin(parts, input, checks)
      const { password } = parseFields({ password: given(own.password, accepted) })
      const { caller, client } = own
      const { accountId: id, epoch } = caller
      const event = 'account.delete'
      const wrong = await wrongPart(parts, { ...own, password })
      if (wrong) {
        await parts.audit.record({ event, caller, subject: id, outcome: 'failure', client })
        throw notValid(wrong)
      }
      if ((await removeAccount(parts, id, { event, caller, epoch })) === 'unknown')
        throw invalidToken('the account is gone, disabled or in another epoch')
    },
})

type Proof = Own & { readonly password: string; readonly code?: string | undefined }

/** The password is checked first, because a checked code is used up. */
async function wrongPart(
  parts: Parts,
  { caller, client, password, code }: Proof,
): Promise<'password' | 'code' | undefined> {
  const isRight = await isOwnPassword(parts, caller, { password, client })
  // Read after the password check: if another call has removed the account, the refusal names no wrong password.
  const { secondFactor } = await ownAccount(parts, caller)
  if (!isRight) return 'password'
  if (secondFactor === undefined) return undefined
  if (!code) throw new Refusal('invalid', [{ field: 'code', type: 'Required', message: REQUIRED }])
  const { accountId: id, email } = caller
  return (await parts.proveFactor?.({ id, email }, code, client)) ? undefined : 'code'
}
