import type { Identity } from '../../domain/access/caller.js'
import type { Account, Epoch } from '../../domain/identity/account.js'
import { NOT_VALID } from '../../domain/messages.js'
import { invalidToken, refuse, Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { ClientContext } from '../client-context.js'
import type { Authenticate } from './authenticate.js'
import type { CheckedCredentials, Checks } from './presented.js'
import { withAttemptCounted, type Throttle } from './throttle.js'
import { verifyPassword } from './verify-password.js'

/** The identity of a caller who has logged in. */
export type LoggedIn = Identity & Required<Pick<Identity, 'sessionId' | 'epoch' | 'endsAt'>>

/** Refuses with `invalid-token` an identity without a login, such as an identity proved by HTTP Basic. */
export function assertLogin(identity: Identity): LoggedIn {
  const { sessionId, epoch, endsAt } = identity
  if (sessionId === undefined || epoch === undefined || endsAt === undefined)
    throw invalidToken('the identity has no login')
  return { ...identity, sessionId, epoch, endsAt }
}

/** Returns the login if the account itself is acting. Refuses with `forbidden` a caller who acts as another account. */
export function assertOwnLogin(identity: Identity): LoggedIn {
  const login = assertLogin(identity)
  if (login.actor) throw whileImpersonating()
  return login
}

export function whileImpersonating(): Refusal {
  return refuse('forbidden', 'Forbidden', 'This is not possible while you are acting as another account.')
}

/** The caller of an operation on the caller's own account. */
export type OwnRequest = { readonly caller: LoggedIn; readonly client: ClientContext | undefined }

/**
 * Resolves with the caller's own login and the checked form of the input. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or does not have the permission.
 * - `malformed`: a member of the form has the wrong type;
 */
export async function ownLogin<Members extends object>(
  { authenticate }: { readonly authenticate: Authenticate },
  input: { readonly presented: CheckedCredentials },
  {
    assertPermitted,
    read,
  }: Pick<Checks<never>, 'assertPermitted'> & { readonly read: (input: never) => Members },
): Promise<Members & OwnRequest> {
  const { presented } = input
  const caller = assertOwnLogin(await authenticate(presented))
  assertPermitted(caller)
  return { ...read(input as never), caller, client: presented.client }
}

/** Resolves with the caller's account. Refuses with `invalid-token` if it is deleted or disabled, or its epoch has changed. */
export async function ownAccount(
  { accounts }: { readonly accounts: Accounts },
  { accountId, epoch }: Pick<LoggedIn, 'accountId' | 'epoch'>,
): Promise<Account> {
  const account = await accounts.find(accountId)
  if (!isActive(account, epoch))
    throw invalidToken('the account was removed or disabled, or its epoch has changed')
  return account
}

/** Returns whether logins of this epoch are valid for the account. */
export function isActive(account: Account | undefined, epoch: Epoch): account is Account {
  return account?.disabledAt === undefined && account?.epoch === epoch
}

/** The parts needed to find the caller's own login and check the password. */
export type OwnPasswordParts = {
  readonly authenticate: Authenticate
  readonly accounts: Accounts
  readonly hasher: PasswordHasher
  /** Absent if attempts are not limited. */
  readonly throttle?: Throttle | undefined
}

export const OWN_PASSWORD_PARTS = ['authenticate', 'accounts', 'hasher', 'throttle'] as const

/**
 * Resolves with `true` if this is the password of the caller's account, otherwise with `false`. Costs one password hash and is counted as a
 * login attempt. Refuses the call in the same cases as `ownAccount`, because in stateless mode the account may have changed since the token
 * was issued.
 */
export async function isOwnPassword(
  parts: OwnPasswordParts,
  caller: LoggedIn,
  { password, client }: { readonly password: string; readonly client: ClientContext | undefined },
): Promise<boolean> {
  const right = await withAttemptCounted(parts.throttle, { email: caller.email, client }, async () => {
    const { passwordHash } = await ownAccount(parts, caller)
    return await verifyPassword(parts.hasher, password, passwordHash)
  })
  return right !== undefined
}

/** Returns the refusal for a wrong password, code or token; the refusal is the same for every cause. */
export function notValid(field: 'password' | 'code' | 'resetToken' | 'token'): Refusal {
  return new Refusal('invalid', [{ field, type: 'NotValid', message: NOT_VALID }])
}
