import { ANONYMOUS } from '../../../domain/access/caller.js'
import { shownEmail } from '../../../domain/identity/account.js'
import { email as parseEmail, type Email } from '../../../domain/identity/email.js'
import type { Password } from '../../../domain/identity/password.js'
import type { ResetDigest } from '../../../domain/identity/reset-token.js'
import { NOT_VALID } from '../../../domain/messages.js'
import { accepted } from '../../../domain/parsed.js'
import { Refusal } from '../../../domain/refusal.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { Clock } from '../../../ports/clock.js'
import type { Log } from '../../../ports/log.js'
import type { PasswordHasher } from '../../../ports/password-hasher.js'
import type { ResetTokens } from '../../../ports/session-keys.js'
import { given, parseFields, textField } from '../../fields.js'
import type { Authorize } from '../../access/authorize.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import type { PasswordPolicy } from '../../accounts/password-policy.js'
import type { QueueMail } from '../../mail/queue-mail.js'
import { unexpiredClaims } from '../check-access-token.js'
import type { CheckedCredentials } from '../presented.js'
import { attempted, type Throttle } from '../throttle.js'
import type { RefuseImpersonated } from './refuse-impersonated.js'

/**
 * Sets another password with the token of a reset mail, which is spent by it: of any number of
 * calls with one token one succeeds. All sessions of the account are ended, none is opened,
 * and a notice is sent. In this order it refuses with
 * - `invalid-token`, `malformed`, `unauthenticated`, `forbidden`: as `RequestPasswordReset`;
 * - `invalid`: something is missing, or the password breaks the policy (the token is not spent);
 * - `too-many-attempts`: of this account or from this network, which are counted like logins;
 * - `invalid` with `not-valid`: the token is not good for this email, whatever the cause;
 * - `overloaded`: too many passwords are being hashed (the token is not spent).
 */
export type ConsumeResetToken = (input: {
  email: unknown
  resetToken: unknown
  password: unknown
  presented: CheckedCredentials
}) => Promise<void>

/** What a reset is made of. */
export type ConsumeResetTokenParts = {
  authorize: Authorize
  refuseImpersonated: RefuseImpersonated
  accounts: Accounts
  hasher: PasswordHasher
  passwordPolicy: PasswordPolicy
  resetTokens: ResetTokens
  queueMail: QueueMail
  /** None where attempts are not limited. */
  throttle?: Throttle | undefined
  audit: AuditTrail
  clock: Clock
  log?: Log | undefined
}

/** Needs the permission `auth: reset-password` of everyone. */
export function createConsumeResetToken(parts: ConsumeResetTokenParts): ConsumeResetToken {
  return async ({ presented, ...fields }) => {
    const claims = unexpiredClaims(presented.accessToken, parts.clock())
    const texts = {
      email: textField('email', fields.email),
      resetToken: textField('resetToken', fields.resetToken),
      password: textField('password', fields.password),
    }
    parts.authorize(ANONYMOUS, 'auth', 'reset-password')
    await parts.refuseImpersonated(claims, presented)
    const { email, password, resetToken } = await readRedemption(texts, parts.passwordPolicy)
    const digest = parts.resetTokens.digest(resetToken)
    await consume(parts, { email, password, digest }, presented)
  }
}

type Redemption = { readonly email: Email; readonly password: Password; readonly digest: ResetDigest }

async function consume(
  parts: ConsumeResetTokenParts,
  { email, password, digest }: Redemption,
  { client }: CheckedCredentials,
): Promise<void> {
  const { accounts, audit } = parts
  const id = await attempted(parts.throttle, { email, client }, async () => {
    // Before a hash is paid for; the store's own write decides in the end.
    if (!(await accounts.holdsResetToken(email, digest, parts.clock()))) return undefined
    const hash = await parts.hasher.hash(password)
    return await accounts.consumeResetToken({ email, digest, at: parts.clock(), hash })
  })
  if (!id) {
    await audit.tally({ event: 'reset.done', caller: ANONYMOUS, outcome: 'failure', client })
    throw notValid()
  }
  await audit.record({ event: 'reset.done', caller: ANONYMOUS, subject: id, client })
  await afterwards(parts, async () => {
    const account = await accounts.find(id)
    if (account) await parts.queueMail('password-changed', shownEmail(account))
  })
}

/** The password is set by now, so its caller is told so, whatever becomes of the rest. */
async function afterwards({ log }: ConsumeResetTokenParts, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log?.error('a password was reset, but not all that follows was done', { error })
  }
}

type Texts = Readonly<Record<'email' | 'resetToken' | 'password', string | undefined>>

/** Every rule that is broken at once; whether the token is good is not among them. */
async function readRedemption({ email, resetToken, password }: Texts, passwordPolicy: PasswordPolicy) {
  const address = given(email, parseEmail)
  const context = address.ok ? { email: address.value } : {}
  return parseFields({
    email: address,
    resetToken: given(resetToken, accepted),
    password: await given(password, (text) => passwordPolicy(text, context)),
  })
}

function notValid(): Refusal {
  return new Refusal('invalid', [{ field: 'resetToken', type: 'NotValid', message: NOT_VALID }])
}
