import type { Identity } from '../../../domain/access/caller.js'
import type { Account } from '../../../domain/identity/account.js'
import { presentedPassword } from '../../../domain/identity/password.js'
import { NOT_VALID } from '../../../domain/messages.js'
import { invalidToken, refuse, Refusal } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { PasswordHasher } from '../../../ports/password-hasher.js'
import type { Authorize } from '../../access/authorize.js'
import type { ClientContext } from '../../client-context.js'
import type { Authenticate } from '../authenticate.js'
import { assertOwnLogin, type LoggedIn } from '../impersonation/replace-login.js'
import { attempted, type Throttle } from '../throttle.js'

/** Who may look after the own second factor. */
export type OwnFactorParts = { readonly authenticate: Authenticate; readonly authorize: Authorize }

/**
 * Who is logged in, for what is of the own account alone. Refuses with `forbidden` while another account acts as this one,
 * and without the permission `auth: second-factor`.
 */
export function ownLogin({ authorize }: Pick<OwnFactorParts, 'authorize'>, identity: Identity): LoggedIn {
  const caller = assertOwnLogin(identity)
  authorize(caller, 'auth', 'second-factor')
  return caller
}

/** The caller's account as it is now. Refuses with `invalid-token` where it is gone, disabled or in another epoch. */
export async function ownAccount(
  { accounts }: { readonly accounts: Accounts },
  { accountId, epoch }: LoggedIn,
): Promise<Account> {
  const account = await accounts.find(accountId)
  if (!account || account.disabledAt !== undefined || account.epoch !== epoch)
    throw invalidToken('the account is gone, disabled or in another epoch')
  return account
}

/** What the own password is judged with. */
export type OwnPasswordParts = {
  readonly accounts: Accounts
  readonly hasher: PasswordHasher
  /** None where attempts are not limited. */
  readonly throttle?: Throttle | undefined
}

/**
 * Whether it is the password of the caller's account, which costs one hash and is counted like a login. Refuses as
 * `ownAccount` does: a token of stateless mode may speak for an account that is another one by now.
 */
export async function isOwnPassword(
  parts: OwnPasswordParts,
  caller: LoggedIn,
  { password, client }: { readonly password: string; readonly client: ClientContext | undefined },
): Promise<boolean> {
  const right = await attempted(parts.throttle, { email: caller.email, client }, async () => {
    const { passwordHash } = await ownAccount(parts, caller)
    return (await parts.hasher.verify(presentedPassword(password), passwordHash)) || undefined
  })
  return right === true
}

/** The refusal of a password or a code that is wrong, whatever the cause. */
export function notValid(field: 'password' | 'code'): Refusal {
  return new Refusal('invalid', [{ field, type: 'NotValid', message: NOT_VALID }])
}

/** The refusal where the factor is not as it would have to be. */
export function factorConflict(message: string): Refusal {
  return refuse('conflict', 'Conflict', message)
}
