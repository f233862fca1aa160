import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import { presentedPassword, type Password } from '../../domain/identity/password.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import { defined } from '../../domain/plain-data.js'
import { invalidToken } from '../../domain/refusal.js'
import { verifyPassword, type PasswordPolicy } from '../accounts/passwords.js'
import { parseRequired, parseFields } from '../fields.js'
import { identityOperation, type GivenParts } from './identity-operation.js'
import type { Issued } from './issue.js'
import { notValid, OWN_PASSWORD_PARTS, ownAccount, ownLogin, type LoggedIn } from './own-account.js'
import { formText, formParser } from './presented.js'
import { withAttemptCounted } from './throttle.js'

const PARTS = [...OWN_PASSWORD_PARTS, 'passwordPolicy', 'beginLogin', 'notices', 'audit', 'clock'] as const
type Parts = GivenParts<typeof PARTS>

const FORM = formParser({ password: formText, newPassword: formText })

/**
 * Changes the password of the logged-in account; the caller must prove the current password. Ends all sessions of the account. Begins a new
 * login for the caller, which ends when the previous login would have ended. Notifies the account if emails can be sent. Refuses the call
 * with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: change-password`;
 * - `malformed`: a password is not a string;
 * - `invalid`: a password is missing, or the new password breaks the policy or is the current password;
 * - `too-many-attempts`: too many attempts on this account or from this network, counted like logins;
 * - `invalid` with `not-valid`: the current password is wrong (the check costs exactly one password hash), or another call has changed it
 *   in the meantime; the password stays unchanged;
 * - `overloaded`: too many passwords are being hashed;
 * - `invalid-token`: the password was changed, but another call has ended all logins of the account, so no new login begins;
 * - `forbidden`: the password was changed, but in stateless mode the roles do not fit into a token, so no new login begins.
 *
 * Audits each change, and each failure caused by the password.
 */
export const changePassword = identityOperation({
  permission: ['auth', 'change-password'],
  input: FORM,
  parts: PARTS,
  run:
    (parts: Parts, checks) =>
    async (input): Promise<Issued> => {
      const { caller, client, ...texts } = await ownLogin(parts, input, checks)
      const { email } = caller
      const passwords = await readPasswords(texts, email, parts.passwordPolicy)
      const outcome = await withAttemptCounted(parts.throttle, { email, client }, () =>
        change(parts, caller, passwords),
      )
      const entry = { event: 'password.change', caller, subject: caller.accountId, client } as const
      await parts.audit.record({ ...entry, outcome: outcome?.account ? 'success' : 'failure' })
      if (!outcome?.account) throw notValid('password')
      await parts.notices?.send('own-password', { email, client })
      // A change increases the epoch by one, so any other epoch means that another call has ended this login.
      if (outcome.account.epoch !== caller.epoch + 1)
        throw invalidToken('all logins were ended in the meantime')
      const { endsAt, factorSince: factor, proved } = caller
      // The caller has just proved the password, but not the second factor.
      const proof = { at: parts.clock(), ...defined({ factorAt: proved?.factorAt }) }
      return await parts.beginLogin(outcome.account, {
        endsAt,
        client,
        ...(factor !== undefined && { factor, proved: proof }),
      })
    },
})

type Passwords = { readonly password: string; readonly newPassword: Password }

/** The refusal names every violated rule. The current password is verified later. */
async function readPasswords(
  texts: ReturnType<typeof FORM.read>,
  email: Email,
  policy: PasswordPolicy,
): Promise<Passwords> {
  const { password = '' } = texts
  const judged = await parseRequired(texts.newPassword, (text) => policy(text, { email }))
  const { newPassword } = parseFields({
    password: parseRequired(texts.password, accepted),
    newPassword: differing(judged, presentedPassword(password)),
  })
  return { password, newPassword }
}

function differing(judged: Parsed<Password>, current: Password | undefined): Parsed<Password> {
  const isSame = judged.ok && judged.value === current
  return isSame ? broken('NotValid', 'must differ from the current password') : judged
}

/**
 * Resolves with `undefined` if the password is wrong (the only result that counts as a failed attempt). If another call changed the password
 * first, the result contains no account.
 */
async function change(
  parts: Parts,
  caller: LoggedIn,
  { password, newPassword }: Passwords,
): Promise<{ readonly account?: Account } | undefined> {
  const { accounts, hasher } = parts
  const account = await ownAccount(parts, caller)
  const { id, passwordHash: expected } = account
  const current = await verifyPassword(hasher, password, expected)
  if (current === undefined || expected === undefined) return undefined
  const next = await hasher.hash(newPassword)
  const bumped = await accounts.changePassword({ id, expected, next })
  return bumped === undefined ? {} : { account: { ...account, passwordHash: next, epoch: bumped } }
}
