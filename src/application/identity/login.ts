import { ANONYMOUS } from '../../domain/access/caller.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import { email as parseEmail, formerEmail, type Email } from '../../domain/identity/email.js'
import { presentedPassword, type Password } from '../../domain/identity/password.js'
import { REQUIRED } from '../../domain/messages.js'
import { isRefusal, type Message, Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import type { Authorize } from '../access/authorize.js'
import { unexpiredClaims } from './check-access-token.js'
import { textField } from '../fields.js'
import type { Issued } from './issue.js'
import type { CheckedCredentials } from './presented.js'
import { factorRequired, type ProveFactor } from './second-factor/prove-factor.js'
import type { StartLogin } from './start-login.js'
import { attempted, type Throttle } from './throttle.js'

/**
 * Logs in with email and password, always anew; see `StartLogin`. In this order it refuses with
 * - `invalid-token`: an access token was presented that is not authentic or has expired (of an
 *   unexpired one whose session has ended nothing is held against the login);
 * - `malformed`: email or password is not text;
 * - `unauthenticated`: `auth: login` or `user: find` is not permitted to everyone;
 * - `login-failed`: with `required` or `email-not-valid`, or `Login Failed`, which is the same
 *   for an unknown email, a wrong or missing password and a disabled account, and costs exactly
 *   one password hash in each case;
 * - `too-many-attempts`: of this account or from this network, where attempts are limited;
 * - `overloaded`: too many logins are waiting;
 * - `second-factor-required`: the password is right, the account has a second factor, and no `code` came;
 * - `too-many-attempts`: of codes of this account, which are limited in any case; `login-failed`: the code is not good, or was used.
 *
 * A login is audited, and so is one that failed for the password, the account or the code.
 */
export type Login = (input: {
  email: unknown
  password: unknown
  /** Of the second factor, where the account has one: one of the moment, or a recovery code. */
  code?: unknown
  presented: CheckedCredentials
}) => Promise<Issued>

/** What a login is made of. */
export type LoginParts = {
  authorize: Authorize
  accounts: Accounts
  hasher: PasswordHasher
  startLogin: StartLogin
  /** None where attempts are not limited. */
  throttle?: Throttle | undefined
  /** None where no account can have a second factor. */
  proveFactor?: ProveFactor | undefined
  audit: AuditTrail
  clock: Clock
}

/** Needs the permissions `auth: login` and `user: find` of everyone. */
export function createLogin(parts: LoginParts): Login {
  return async (input) => {
    unexpiredClaims(input.presented.accessToken, parts.clock())
    const email = textField('email', input.email)
    const password = textField('password', input.password)
    const code = textField('code', input.code)
    parts.authorize(ANONYMOUS, 'auth', 'login')
    parts.authorize(ANONYMOUS, 'user', 'find')
    const address = parseLogin(email, password)
    const attempt = {
      email: address,
      former: formerEmail(email ?? ''),
      password: presentedPassword(password ?? ''),
      client: input.presented.client,
    }
    const account = await attempted(parts.throttle, attempt, () => verified(parts, attempt))
    if (!account) throw loginFailed()
    const factor = account.secondFactor && (await proven(parts, account, { code, client: attempt.client }))
    const issued = await parts.startLogin(account, input.presented, { factor })
    const { identity: caller } = issued
    await parts.audit.record({ event: 'login', caller, subject: account.id, client: attempt.client })
    return issued
  }
}

type Attempt = {
  readonly email: Email
  readonly former: Email
  readonly password: Password | undefined
  readonly client: ClientContext | undefined
}

function parseLogin(email: string | undefined, password: string | undefined): Email {
  const parsed = parseEmail(email ?? '')
  const messages: Message[] = []
  if (!email) messages.push({ field: 'email', type: 'Required', message: REQUIRED })
  else if (!parsed.ok) messages.push({ field: 'email', type: parsed.type, message: parsed.rule })
  if (!password) messages.push({ field: 'password', type: 'Required', message: REQUIRED })
  if (parsed.ok && messages.length === 0) return parsed.value
  throw new Refusal('login-failed', messages)
}

/** The account whose password it is; a refusal of the hasher says nothing of that. */
async function verified(
  parts: LoginParts,
  { email, former, password, client }: Attempt,
): Promise<Account | undefined> {
  const account = await parts.accounts.findByEmail(email, former)
  const usable = account?.disabledAt === undefined ? account : undefined
  const right = await parts.hasher.verify(password, usable?.passwordHash)
  if (!right || !usable || password === undefined) {
    await recordFailure(parts.audit, account?.id, client)
    return undefined
  }
  await renewHash(parts, usable, password)
  return usable
}

/** A hash of older parameters is replaced, unless the password was changed in between or the hasher has no time. */
async function renewHash(parts: LoginParts, account: Account, password: Password): Promise<void> {
  const before = account.passwordHash
  if (before === undefined || !parts.hasher.isOutdated(before, password)) return
  try {
    const next = await parts.hasher.hash(password)
    await parts.accounts.replaceHash(account.id, before, next)
  } catch (error) {
    if (!(isRefusal(error) && error.code === 'overloaded')) throw error
  }
}

/** The password is right by now, so its attempt was refunded: codes are counted apart. */
async function proven(
  { proveFactor, audit }: LoginParts,
  account: Account,
  { code, client }: { readonly code: string | undefined; readonly client: ClientContext | undefined },
): Promise<true> {
  if (!code || !proveFactor) throw factorRequired()
  if (await proveFactor(account, code, client)) return true
  await recordFailure(audit, account.id, client)
  throw loginFailed('code')
}

async function recordFailure(
  audit: AuditTrail,
  subject: AccountId | undefined,
  client: ClientContext | undefined,
): Promise<void> {
  await audit.record({ event: 'login', caller: ANONYMOUS, outcome: 'failure', subject, client })
}

/** The refusal of a wrong password or account, which names the email, and of a wrong code. */
export function loginFailed(field: 'email' | 'code' = 'email'): Refusal {
  return new Refusal('login-failed', [{ field, type: 'LoginFailed', message: 'Login Failed' }])
}
