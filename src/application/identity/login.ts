import { ANONYMOUS } from '../../domain/access/caller.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import { email as parseEmail, enteredEmail, formerEmail, type Email } from '../../domain/identity/email.js'
import type { JsonObject } from '../../domain/identity/json-object.js'
import type { Password } from '../../domain/identity/password.js'
import { REQUIRED } from '../../domain/messages.js'
import { isRefusal, Refusal, type Message } from '../../domain/refusal.js'
import type { Clock } from '../../ports/system.js'
import type { Authorize } from '../access/authorize.js'
import { isUnfinishedImport } from '../accounts/import-factor.js'
import { verifyPassword } from '../accounts/passwords.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { flag, optional, text } from '../fields.js'
import { meterLogin } from '../metering.js'
import type { AssertPermitted } from '../operation.js'
import { identityOperation, type GivenParts } from './identity-operation.js'
import type { Issued } from './issue.js'
import type { LoginTerms } from './open-session.js'
import { passkeyResponse } from './passkeys/prove-passkey.js'
import { unexpiredClaims, formText, formParser, type CheckedCredentials } from './presented.js'
import { factorRequired } from './second-factor/prove-factor.js'
import { withAttemptCounted } from './throttle.js'

const PARTS = [
  ...(['accounts', 'hasher', 'moveAccount', 'startLogin', 'throttle', 'proveFactor'] as const),
  ...(['provePasskey', 'audit', 'clock', 'metrics'] as const),
] as const
type Parts = GivenParts<typeof PARTS, ['proveFactor', 'provePasskey']> & { readonly authorize: Authorize }

/**
 * Logs in with email and password, and with `code` if the account has a second factor; `code` is a current one-time code or a recovery
 * code. `passkey` replaces the code: the response of a passkey of the account, with the `browserSecret` of `beginPasskeyLogin`. With
 * `remember`, the cookie lives until the end of the session if the setting `rememberLogin` is on. In all other cases, the cookie ends with
 * the browser session. Always begins a new login; see `StartLogin`. Refuses the call with the first of these codes that applies:
 * - `invalid-token`: the request has an access token that is not authentic or has expired (its session may already have ended);
 * - `unauthenticated`: anonymous callers lack the permission `auth: login` or `user: find`;
 * - `malformed`: a member has the wrong type;
 * - `login-failed`: with `required` or `email-not-valid`; or with `Login Failed` for an unknown email, a wrong password, an account without
 *   a password or a disabled account (these four look the same, and each costs exactly one password hash);
 * - `too-many-attempts`: too many attempts on this account or from this network, if attempts are limited;
 * - `overloaded`: too many logins are waiting;
 * - `second-factor-required`: the password is right, the account has a second factor, and neither `code` nor `passkey` is present;
 * - `too-many-attempts`: too many codes or passkeys were tried for this account (they are always limited); `login-failed`: the code or the
 *   passkey is wrong or was used before;
 * - `forbidden`: in stateless mode, the account's roles do not fit into a token.
 *
 * Audits each login, and each failure caused by the password, the account, the code or the passkey.
 */
export const login = identityOperation({
  permission: ['auth', 'login'],
  input: formParser({
    ...{ email: formText, password: formText, code: optional(text), remember: optional(flag) },
    ...{ passkey: optional(passkeyResponse), browserSecret: optional(text) },
  }),
  parts: PARTS,
  optional: ['proveFactor', 'provePasskey'],
  run:
    (parts: Parts, { assertPermitted, read }) =>
    async (input): Promise<Issued> => {
      const { presented } = input
      const { client } = presented
      assertOpen(parts, input, assertPermitted)
      const { email, password, remember, ...given } = read(input)
      const attempt = {
        email: parseLogin(email, password),
        former: formerEmail(email ?? ''),
        entered: enteredEmail(email ?? ''),
        password: password ?? '',
        client,
      }
      const account = await withAttemptCounted(parts.throttle, attempt, () => verified(parts, attempt))
      if (!account) throw loginFailed()
      const factor = await checkedFactor(parts, account, { ...given, client })
      const issued = await parts.startLogin(account, presented, { ...factor, ...(remember && { remember }) })
      await parts.audit.record({ event: 'login', caller: issued.identity, subject: account.id, client })
      return issued
    },
  wrap: (call, { metrics }: Parts) => meterLogin(call, metrics),
})

/** Performs the checks of a login that come before its form is read. */
export function assertOpen(
  { authorize, clock }: { readonly authorize: Authorize; readonly clock: Clock },
  { presented }: { readonly presented: CheckedCredentials },
  assertPermitted: AssertPermitted,
): void {
  unexpiredClaims(presented.accessToken, clock())
  assertPermitted(ANONYMOUS)
  authorize(ANONYMOUS, 'user', 'find')
}

type Attempt = {
  readonly email: Email
  readonly former: Email
  readonly entered: Email
  readonly password: string
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

/** Resolves with the account if the password is right and the account is enabled. */
async function verified(parts: Parts, attempt: Attempt): Promise<Account | undefined> {
  const { email, former, password, client } = attempt
  const found = await parts.accounts.findByEmail(email, former)
  const isKnown = found !== undefined && !isUnfinishedImport(found)
  const account = isKnown ? found : ((await parts.moveAccount?.(attempt)) ?? found)
  const usable = account?.disabledAt === undefined ? account : undefined
  const right = await verifyPassword(parts.hasher, password, usable?.passwordHash)
  if (right === undefined || !usable) {
    await recordFailure(parts.audit, account?.id, client)
    return undefined
  }
  await renewHash(parts, usable, { password: right, sent: password })
  return usable
}

type Texts = { readonly password: Password; readonly sent: string }

/** Replaces a hash that has outdated parameters, unless the password was changed in the meantime or the hasher is overloaded. */
async function renewHash(parts: Parts, account: Account, { password, sent }: Texts): Promise<void> {
  const before = account.passwordHash
  // Checks both forms of the password, because either may have matched and bcrypt may have truncated one.
  const isOutdated = (text: string) => before !== undefined && parts.hasher.isOutdated(before, text)
  if (before === undefined || !isOutdated(password) || (sent !== password && !isOutdated(sent))) return
  try {
    const next = await parts.hasher.hash(password)
    await parts.accounts.replaceHash(account.id, before, next)
  } catch (error) {
    if (!(isRefusal(error) && error.code === 'overloaded')) throw error
  }
}

/** A second-factor code, with the name of the request member that contains it, or a passkey of the account. */
type PresentedFactor = {
  readonly code?: string | undefined
  readonly passkey?: JsonObject | undefined
  readonly browserSecret?: string | undefined
  readonly client: ClientContext | undefined
  readonly field?: 'code' | 'secondFactor'
}

type FactorParts = Pick<Parts, 'proveFactor' | 'audit'> & Partial<Pick<Parts, 'provePasskey'>>

/**
 * Resolves with the time when the second factor was confirmed, if the account has a second factor. The attempt with the right password
 * has already been refunded, because codes and passkeys are counted separately.
 */
export async function checkedFactor(
  { proveFactor, provePasskey, audit }: FactorParts,
  account: Account,
  presented: PresentedFactor,
): Promise<Pick<LoginTerms, 'factor' | 'passkey'>> {
  const { secondFactor } = account
  const { code, passkey, client, field = 'code' } = presented
  if (secondFactor === undefined) return {}
  if (passkey && provePasskey) {
    const { browserSecret: binding = '' } = presented
    const scope = { ceremony: 'login', binding } as const
    const proof = await provePasskey({ response: passkey, scope, owner: account, client })
    if (proof.account) return { factor: secondFactor, passkey: true }
    await recordFailure(audit, account.id, client)
    throw loginFailed('passkey', proof.reason)
  }
  if (!code || !proveFactor) throw factorRequired(field)
  const factor = await proveFactor(account, code, client)
  if (factor !== undefined) return { factor }
  await recordFailure(audit, account.id, client)
  throw loginFailed(field)
}

/** Audits a failed login; `subject` is the account, if it is known. */
export async function recordFailure(
  audit: AuditTrail,
  subject: AccountId | undefined,
  client: ClientContext | undefined,
): Promise<void> {
  await audit.record({ event: 'login', caller: ANONYMOUS, outcome: 'failure', subject, client })
}

/**
 * Returns the refusal for a failed login. `field` is `email` for a wrong password or an unusable account, otherwise `passkey` or the field
 * of the code.
 */
export function loginFailed(
  field: 'email' | 'passkey' | NonNullable<PresentedFactor['field']> = 'email',
  detail?: string,
): Refusal {
  return new Refusal('login-failed', [{ field, type: 'LoginFailed', message: 'Login Failed' }], detail)
}
