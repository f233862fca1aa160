import { ANONYMOUS, type Identity } from '../../domain/access/caller.js'
import { freshLoginRequired, missingProofs } from '../../domain/access/step-up.js'
import type { AuditEvent } from '../../domain/audit.js'
import type { Account } from '../../domain/identity/account.js'
import { NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { accepted, type Parsed } from '../../domain/parsed.js'
import { invalidToken, Refusal, whileImpersonating } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/system.js'
import { verifyPassword } from '../accounts/passwords.js'
import type { AuditEntry, AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { optional, parseFields, parseRequired, text } from '../fields.js'
import type { GivenShared } from '../shared-parts.js'
import type { Authenticate } from './authenticate.js'
import { isActive } from './identity-of.js'
import type { RefuseImpersonated } from './impersonation/guards.js'
import { formParser, unexpiredClaims, type CheckedCredentials, type Checks } from './presented.js'
import type { ProveFactor } from './second-factor/prove-factor.js'
import { withAttemptCounted } from './throttle.js'

export type LoggedIn = Identity & Required<Pick<Identity, 'sessionId' | 'epoch' | 'endsAt'>>

/** Refuses with `invalid-token` an identity without a login, such as an identity proved by HTTP Basic. */
export function assertLogin(identity: Identity): LoggedIn {
  const { sessionId, epoch, endsAt } = identity
  if (sessionId === undefined || epoch === undefined || endsAt === undefined)
    throw invalidToken('the identity has no login')
  return { ...identity, sessionId, epoch, endsAt }
}

/** Returns the caller's login. Refuses with `forbidden` a caller who acts as another account. */
export function assertOwnLogin(identity: Identity): LoggedIn {
  const login = assertLogin(identity)
  if (login.actor) throw whileImpersonating()
  return login
}

export type OwnRequest = { readonly caller: LoggedIn; readonly client: ClientContext | undefined }

/**
 * Resolves with the caller's own login and the validated input. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or does not have the permission;
 * - `malformed`: a member of the form has the wrong type.
 */
export async function ownLogin<Members extends object>(
  { authenticate }: { readonly authenticate: Authenticate },
  input: { readonly presented: CheckedCredentials },
  { assertPermitted, read }: Checks<Members>,
): Promise<Members & OwnRequest> {
  const { presented } = input
  const caller = assertOwnLogin(await authenticate(presented))
  assertPermitted(caller)
  return { ...read(input), caller, client: presented.client }
}

/**
 * Resolves with the validated input of a request that needs no login. Refuses the call with the first of these codes that applies:
 * - `invalid-token`: the access token is not authentic or has expired;
 * - `unauthenticated`: anonymous callers do not have the permission;
 * - `forbidden`: the request is made during an impersonation;
 * - `malformed`: a member of the form has the wrong type.
 */
export async function openRequest<Members extends object>(
  { refuseImpersonated, clock }: { readonly refuseImpersonated: RefuseImpersonated; readonly clock: Clock },
  input: { readonly presented: CheckedCredentials },
  { assertPermitted, read }: Checks<Members>,
): Promise<Members & Pick<OwnRequest, 'client'>> {
  const { presented } = input
  const claims = unexpiredClaims(presented.accessToken, clock())
  assertPermitted(ANONYMOUS)
  await refuseImpersonated(claims, presented)
  return { ...read(input), client: presented.client }
}

/** Resolves with the caller's account. Refuses with `invalid-token` if the account is deleted or disabled, or if its epoch has changed. */
export async function ownAccount(
  { accounts }: { readonly accounts: Accounts },
  { accountId, epoch }: Pick<LoggedIn, 'accountId' | 'epoch'>,
): Promise<Account> {
  const account = await accounts.find(accountId)
  if (!isActive(account, epoch))
    throw invalidToken('the account was removed or disabled, or its epoch has changed')
  return account
}

export type OwnPasswordParts = GivenShared<['accounts', 'hasher', 'throttle']> & {
  readonly authenticate: Authenticate
  readonly assertFresh: AssertFresh
}

export const OWN_PASSWORD_PARTS = ['authenticate', 'accounts', 'hasher', 'assertFresh', 'throttle'] as const

/**
 * Resolves with `true` if this is the password of the caller's account, otherwise with `false`. Costs one password hash and is counted as a
 * login attempt. Refuses the call in the same cases as `ownAccount`, because in stateless mode the account may have changed since the token
 * was issued.
 */
async function isOwnPassword(
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

/**
 * If the caller's account has no password, requires a fresh login instead, and resolves with the account. Resolves with `undefined` if the
 * account has a password, or if logins do not record proofs (no passkeys and no permissions with conditions). Refuses in the same cases as
 * `ownAccount` and `AssertFresh`.
 */
async function withoutPassword(
  parts: Pick<OwnPasswordParts, 'accounts' | 'assertFresh'>,
  caller: LoggedIn,
): Promise<Account | undefined> {
  if (!caller.proved) return undefined
  const account = await ownAccount(parts, caller)
  if (account.passwordHash !== undefined) return undefined
  parts.assertFresh(caller, account)
  return account
}

/**
 * Requires the caller's password. The parsed value is a function that verifies the password as `isOwnPassword` does. If the account has no
 * password, a fresh login is required instead; see `withoutPassword`.
 */
export async function passwordCheck(
  parts: OwnPasswordParts,
  { caller, client }: OwnRequest,
  text: string | undefined,
): Promise<Parsed<() => Promise<boolean>>> {
  if (!text && (await withoutPassword(parts, caller))) return { ok: true, value: () => Promise.resolve(true) }
  return parseRequired(text, (password) => accepted(() => isOwnPassword(parts, caller, { password, client })))
}

export const OWN_PROOF_PARTS = [...OWN_PASSWORD_PARTS, 'audit', 'proveFactor'] as const
type OwnProofParts = OwnPasswordParts & {
  readonly audit: AuditTrail
  readonly proveFactor?: ProveFactor | undefined
}

export const ownProof = formParser({ password: optional(text), code: optional(text) })
type OwnProof = { readonly password?: string | undefined; readonly code?: string | undefined }

/**
 * Resolves with the caller's account if the password is right, and the code if a second factor is active. A wrong password or code is
 * audited as a failure of the event. Refuses the call with the first of these codes that applies:
 * - `invalid`: the password is missing;
 * - `too-many-attempts`: too many attempts on this account or from this network, counted like logins;
 * - `invalid` with `not-valid`: the password is wrong (the check costs exactly one password hash);
 * - `overloaded`: too many passwords are being hashed;
 * - `invalid`: the code is missing although a second factor is active; `too-many-attempts`: too many codes were tried for this account;
 *   `invalid` with `not-valid`: the code is wrong or was used before.
 */
export async function provenAccount(
  parts: OwnProofParts,
  { caller, client, code, ...form }: OwnRequest & OwnProof,
  event: AuditEvent,
): Promise<Account> {
  const { password } = parseFields({ password: parseRequired(form.password, accepted) })
  const isRight = await isOwnPassword(parts, caller, { password, client })
  // Reads the account after the password check; otherwise, if another call removes the account, the refusal would report a wrong password.
  const account = await ownAccount(parts, caller)
  const { accountId: id, email } = caller
  // The password is checked first, because a code can be checked only once.
  const isFactorProven = async () => {
    if (account.secondFactor === undefined) return true
    if (!code) throw new Refusal('invalid', [{ field: 'code', type: 'Required', message: REQUIRED }])
    return (await parts.proveFactor?.({ id, email }, code, client)) !== undefined
  }
  const wrong = !isRight ? 'password' : (await isFactorProven()) ? undefined : 'code'
  if (wrong === undefined) return account
  throw await wrongProof(parts, { event, caller, subject: id, client }, wrong)
}

/**
 * Resolves with the caller's own login and account once the password and the code are verified. If the account has no password, both are
 * omitted and a fresh login is required; see `withoutPassword`. Refuses the call with the codes of `ownLogin`, then with
 * `fresh-login-required`, and then with the codes of `provenAccount`.
 */
export async function provenLogin(
  parts: OwnProofParts,
  input: { readonly presented: CheckedCredentials },
  checks: Checks<OwnProof>,
  event: AuditEvent,
): Promise<OwnRequest & { readonly account: Account }> {
  const own = await ownLogin(parts, input, checks)
  const account = own.password ? undefined : await withoutPassword(parts, own.caller)
  return { ...own, account: account ?? (await provenAccount(parts, own, event)) }
}

type ProofMember = 'password' | 'code' | 'resetToken' | 'token' | 'passkey' | 'credential'

/** Returns the refusal for a wrong password, code, token or passkey; the client gets the same refusal for every cause. */
export function notValid(field: ProofMember, detail?: string): Refusal {
  return new Refusal('invalid', [{ field, type: 'NotValid', message: NOT_VALID }], detail)
}

/** Audits the entry as a failure, and resolves with the refusal of `notValid`. */
export async function wrongProof(
  { audit }: { readonly audit: AuditTrail },
  entry: AuditEntry,
  field: ProofMember,
  detail?: string,
): Promise<Refusal> {
  await audit.record({ ...entry, outcome: 'failure' })
  return notValid(field, detail)
}

/**
 * Refuses with `fresh-login-required` if the last proof of identity, or the last code of the active second factor, is older than ten
 * minutes. `account` is the caller's own account.
 */
export type AssertFresh = (caller: Identity, account: Account) => void

const FRESH = 10 * 60_000

export function createAssertFresh({
  passkeyVerifier,
  clock,
}: GivenShared<['passkeyVerifier', 'clock'], ['passkeyVerifier']>): AssertFresh {
  const hasPasskeys = passkeyVerifier !== undefined
  return (caller, { secondFactor, passwordHash }) => {
    const hasFactor = secondFactor !== undefined
    const condition = { fresh: FRESH, factor: hasFactor ? FRESH : undefined }
    const missing = missingProofs(caller, condition, clock())
    const ways = { hasPassword: passwordHash !== undefined, hasFactor, hasPasskeys }
    if (missing?.length !== 0) throw freshLoginRequired(missing ?? ['password'], ways, 'this change')
  }
}
