import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import { presentedPassword, type Password } from '../../domain/identity/password.js'
import { NOT_VALID } from '../../domain/messages.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { Authorize } from '../access/authorize.js'
import type { PasswordPolicy } from '../accounts/password-policy.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { given, parseFields, textField } from '../fields.js'
import type { Notices } from '../mail/notices.js'
import type { Authenticate } from './authenticate.js'
import type { BeginLogin } from './begin-login.js'
import { assertOwnLogin, type LoggedIn } from './impersonation/replace-login.js'
import type { Issued } from './issue.js'
import type { CheckedCredentials } from './presented.js'
import { isActive } from './stateless/carried-login.js'
import { attempted, type Throttle } from './throttle.js'

/**
 * Sets another password for the account that is logged in, by its current one. All its sessions end, and a new login that
 * lasts as long as this one would have takes the place of this one; where mails can leave, a notice does. In this order
 * it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: a password is not text;
 * - `forbidden`: the caller acts as another account, or is not permitted `auth: change-password`;
 * - `invalid`: one is missing, or the new one breaks the policy or is the current one;
 * - `too-many-attempts`: of this account or from this network, which are counted like logins;
 * - `invalid` with `not-valid`: it is not the current password, which costs exactly one password hash; or another call has
 *   set another one meanwhile. Nothing is changed by this one then;
 * - `overloaded`: too many passwords are being hashed;
 * - `invalid-token`: another call has ended all logins of the account meanwhile. The password is changed then, and no new
 *   login begins.
 *
 * It is audited, and so is one that failed for the password.
 */
export type ChangePassword = (input: {
  password: unknown
  newPassword: unknown
  presented: CheckedCredentials
}) => Promise<Issued>

/** What the change of a password is made of. */
export type ChangePasswordParts = {
  authenticate: Authenticate
  authorize: Authorize
  accounts: Accounts
  hasher: PasswordHasher
  passwordPolicy: PasswordPolicy
  beginLogin: BeginLogin
  notices?: Notices | undefined
  /** None where attempts are not limited. */
  throttle?: Throttle | undefined
  audit: AuditTrail
}

/** Needs the permission `auth: change-password`. */
export function createChangePassword(parts: ChangePasswordParts): ChangePassword {
  return async ({ presented, ...fields }) => {
    const caller = await parts.authenticate(presented)
    const texts = {
      password: textField('password', fields.password),
      newPassword: textField('newPassword', fields.newPassword),
    }
    const login = assertOwnLogin(caller)
    parts.authorize(login, 'auth', 'change-password')
    const passwords = await readPasswords(texts, login.email, parts.passwordPolicy)
    const { client } = presented
    const change = () => changeOf(parts, login, passwords)
    const outcome = await attempted(parts.throttle, { email: login.email, client }, change)
    const entry = { event: 'password.change', caller: login, subject: login.accountId, client } as const
    await parts.audit.record({ ...entry, outcome: outcome?.account ? 'success' : 'failure' })
    if (!outcome?.account) throw notValid()
    await parts.notices?.send('own-password', { email: login.email, client })
    // A change moves the epoch by one: whatever else has moved it has ended this login, which is followed by none then.
    if (outcome.account.epoch !== login.epoch + 1) throw invalidToken('all logins were ended meanwhile')
    const factor = login.factorSince ?? login.factor
    return await parts.beginLogin(outcome.account, { endsAt: login.endsAt, factor, client })
  }
}

type Texts = Readonly<Record<'password' | 'newPassword', string | undefined>>
type Passwords = { readonly password: Password | undefined; readonly newPassword: Password }

/** Every rule that is broken at once; whether the current password is right is not among them. */
async function readPasswords(texts: Texts, email: Email, policy: PasswordPolicy): Promise<Passwords> {
  const current = presentedPassword(texts.password ?? '')
  const judged = await given(texts.newPassword, (text) => policy(text, { email }))
  const { newPassword } = parseFields({
    password: given(texts.password, accepted),
    newPassword: differing(judged, current),
  })
  return { password: current, newPassword }
}

function differing(judged: Parsed<Password>, current: Password | undefined): Parsed<Password> {
  const isSame = judged.ok && judged.value === current
  return isSame ? broken('NotValid', 'must differ from the current password') : judged
}

/** Without an account where another call was first; `undefined` where the password is wrong, which alone counts. */
async function changeOf(
  { accounts, hasher }: ChangePasswordParts,
  { accountId: id, epoch }: LoggedIn,
  { password, newPassword }: Passwords,
): Promise<{ readonly account?: Account } | undefined> {
  const account = await accounts.find(id)
  if (!isActive(account, epoch)) throw invalidToken('the account is gone, disabled or in another epoch')
  const { passwordHash: expected } = account
  const isRight = await hasher.verify(password, expected)
  if (!isRight || expected === undefined) return undefined
  const next = await hasher.hash(newPassword)
  const bumped = await accounts.changePassword({ id, expected, next })
  return bumped === undefined ? {} : { account: { ...account, passwordHash: next, epoch: bumped } }
}

function notValid(): Refusal {
  return new Refusal('invalid', [{ field: 'password', type: 'NotValid', message: NOT_VALID }])
}
