import { presentedPassword, type Password } from '../../domain/identity/password.js'
import { NOT_VALID } from '../../domain/messages.js'
import { accepted } from '../../domain/parsed.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import { removeAccount, type RemoveAccountParts } from '../accounts/remove-account.js'
import type { Authorize } from '../access/authorize.js'
import { given, parseFields, textField } from '../fields.js'
import type { Authenticate } from './authenticate.js'
import { assertOwnLogin, type LoggedIn } from './impersonation/replace-login.js'
import type { CheckedCredentials } from './presented.js'
import { isActive } from './stateless/carried-login.js'
import { attempted, type Throttle } from './throttle.js'

/**
 * Takes the account that is logged in away for good, by its password, with all that is kept about it; see `removeAccount`. Its
 * projects and the pets stay, the audit log keeps its id alone. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: the password is not text;
 * - `forbidden`: the caller acts as another account, or is not permitted `auth: delete-account`;
 * - `invalid`: no password;
 * - `too-many-attempts`: of this account or from this network, which are counted like logins;
 * - `invalid` with `not-valid`: it is not the password, which costs exactly one password hash;
 * - `overloaded`: too many passwords are being hashed;
 * - `invalid-token`: another call has removed the account, or ended this login, meanwhile.
 *
 * It is audited, and so is one that failed for the password.
 */
export type DeleteAccount = (input: { password: unknown; presented: CheckedCredentials }) => Promise<void>

/** What the deletion of the own account is made of. */
export type DeleteAccountParts = RemoveAccountParts & {
  authenticate: Authenticate
  authorize: Authorize
  hasher: PasswordHasher
  /** None where attempts are not limited. */
  throttle?: Throttle | undefined
}

/** Needs the permission `auth: delete-account`. */
export function createDeleteAccount(parts: DeleteAccountParts): DeleteAccount {
  return async ({ presented, ...fields }) => {
    const identity = await parts.authenticate(presented)
    const text = textField('password', fields.password)
    const caller = assertOwnLogin(identity)
    parts.authorize(caller, 'auth', 'delete-account')
    const { password } = parseFields({ password: given(text, accepted) })
    const { accountId: id, email, epoch } = caller
    const { client } = presented
    const entry = { event: 'account.delete', caller, subject: id } as const
    const right = await attempted(parts.throttle, { email, client }, () =>
      isPassword(parts, caller, presentedPassword(password)),
    )
    if (!right) {
      await parts.audit.record({ ...entry, outcome: 'failure', client })
      throw new Refusal('invalid', [{ field: 'password', type: 'NotValid', message: NOT_VALID }])
    }
    if ((await removeAccount(parts, { id, email }, epoch)) === 'unknown')
      throw invalidToken('the account is gone, disabled or in another epoch')
    // Without the client: of an account that is gone the id alone is kept.
    await parts.audit.record(entry)
  }
}

/** `undefined` for a guess that was wrong. */
async function isPassword(
  { accounts, hasher }: DeleteAccountParts,
  { accountId, epoch }: LoggedIn,
  password: Password | undefined,
): Promise<true | undefined> {
  const account = await accounts.find(accountId)
  if (!isActive(account, epoch)) throw invalidToken('the account is gone, disabled or in another epoch')
  return (await hasher.verify(password, account.passwordHash)) || undefined
}
