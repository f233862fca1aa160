import { REQUIRED } from '../../domain/messages.js'
import { accepted } from '../../domain/parsed.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import { removeAccount, type RemoveAccountParts } from '../accounts/remove-account.js'
import type { Authorize } from '../access/authorize.js'
import type { ClientContext } from '../client-context.js'
import { given, parseFields, textField } from '../fields.js'
import type { Authenticate } from './authenticate.js'
import { assertOwnLogin, type LoggedIn } from './impersonation/replace-login.js'
import type { CheckedCredentials } from './presented.js'
import { isOwnPassword, notValid, ownAccount, type OwnPasswordParts } from './second-factor/own-account.js'
import type { ProveFactor } from './second-factor/prove-factor.js'

/**
 * Takes the account that is logged in away for good, by its password, and a code where a second factor is active, with all that
 * is kept about it; see `removeAccount`. Its projects and the pets stay, the audit log keeps its id alone. In this order it
 * refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: password or code is not text;
 * - `forbidden`: the caller acts as another account, or is not permitted `auth: delete-account`;
 * - `invalid`: no password;
 * - `too-many-attempts`: of this account or from this network, which are counted like logins;
 * - `invalid` with `not-valid`: it is not the password, which costs exactly one password hash;
 * - `overloaded`: too many passwords are being hashed;
 * - `invalid`: no code, where a factor is active; `too-many-attempts`: of codes of this account; `invalid` with `not-valid`: the
 *   code is wrong or was used;
 * - `invalid-token`: another call has removed the account, or ended this login, meanwhile.
 *
 * It is audited, and so is one that failed for the password or the code.
 */
export type DeleteAccount = (input: {
  password: unknown
  code?: unknown
  presented: CheckedCredentials
}) => Promise<void>

/** What the deletion of the own account is made of. */
export type DeleteAccountParts = RemoveAccountParts &
  OwnPasswordParts & {
    authenticate: Authenticate
    authorize: Authorize
    /** None where the store has no second factors. */
    proveFactor?: ProveFactor | undefined
  }

/** Needs the permission `auth: delete-account`. */
export function createDeleteAccount(parts: DeleteAccountParts): DeleteAccount {
  return async ({ presented, ...fields }) => {
    const identity = await parts.authenticate(presented)
    const text = textField('password', fields.password)
    const code = textField('code', fields.code)
    const caller = assertOwnLogin(identity)
    parts.authorize(caller, 'auth', 'delete-account')
    const { password } = parseFields({ password: given(text, accepted) })
    const { accountId: id, epoch } = caller
    const { client } = presented
    const event = 'account.delete'
    const wrong = await wrongOf(parts, caller, { password, code, client })
    if (wrong) {
      await parts.audit.record({ event, caller, subject: id, outcome: 'failure', client })
      throw notValid(wrong)
    }
    if ((await removeAccount(parts, id, { event, caller, epoch })) === 'unknown')
      throw invalidToken('the account is gone, disabled or in another epoch')
  }
}

type Proof = {
  readonly password: string
  readonly code: string | undefined
  readonly client: ClientContext | undefined
}

/** The password first: a code is spent by being looked at. */
async function wrongOf(
  parts: DeleteAccountParts,
  caller: LoggedIn,
  { password, code, client }: Proof,
): Promise<'password' | 'code' | undefined> {
  const isRight = await isOwnPassword(parts, caller, { password, client })
  // Looked at afterwards: of an account that another call has removed meanwhile no password is right, and none is wrong.
  const { secondFactor } = await ownAccount(parts, caller)
  if (!isRight) return 'password'
  if (!secondFactor) return undefined
  if (!code) throw new Refusal('invalid', [{ field: 'code', type: 'Required', message: REQUIRED }])
  const { accountId: id, email } = caller
  return (await parts.proveFactor?.({ id, email }, code, client)) ? undefined : 'code'
}
