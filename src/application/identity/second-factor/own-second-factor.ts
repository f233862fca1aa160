import type { AuditEvent } from '../../../domain/audit.js'
import type { Account } from '../../../domain/identity/account.js'
import type { Instant } from '../../../domain/instant.js'
import { accepted } from '../../../domain/parsed.js'
import { refuse, type Refusal } from '../../../domain/refusal.js'
import type { CodeProof } from '../../../ports/second-factors.js'
import type { AuditEntry } from '../../audit/audit-trail.js'
import { optional, parseFields, parseRequired, text } from '../../fields.js'
import { identityOperation, type GivenParts } from '../identity-operation.js'
import {
  wrongProof,
  passwordCheck,
  assertOwnLogin,
  ownAccount,
  OWN_PASSWORD_PARTS,
  ownLogin,
  type OwnRequest,
  type OwnPasswordParts,
} from '../own-account.js'
import { formText, formParser, presentedInput } from '../presented.js'
import { freshRecoveryCodes, PROOF_PARTS, proveCode } from './prove-factor.js'

const ownProof = formParser({ password: optional(text), code: formText })

export type OwnProofParts = OwnPasswordParts & GivenParts<['secondFactors', 'audit']>

type Proof = OwnRequest & { readonly password: () => Promise<boolean>; readonly code: string }

/** Refuses with `invalid` if the code or the password is missing; for an account without a password, see `passwordCheck`. */
export async function givenProof(
  parts: OwnPasswordParts,
  { password, code, ...own }: OwnRequest & ReturnType<typeof ownProof.read>,
): Promise<Proof> {
  const fields = { password: await passwordCheck(parts, own, password), code: parseRequired(code, accepted) }
  return { ...own, ...parseFields(fields) }
}

/**
 * Checks the proof and resolves with the audit entry of the change. The password is checked first, because checking a code uses it up.
 * Refuses the call with `invalid` (the password or code is wrong, which is audited) or `conflict` (no factor is active).
 */
export async function assertOwnProof(
  parts: OwnProofParts,
  { caller, client, password, code }: Proof,
  {
    event,
    prove,
  }: { readonly event: AuditEvent; readonly prove: (code: string) => Promise<Instant | undefined> },
): Promise<AuditEntry> {
  const entry = { event, caller, subject: caller.accountId, client }
  if (!(await password())) throw await wrongProof(parts, entry, 'password')
  if ((await parts.secondFactors.find(caller.accountId))?.activeSince === undefined) throw noFactor()
  if ((await prove(code)) === undefined) throw await wrongProof(parts, entry, 'code')
  return entry
}

export function noFactor(): Refusal {
  return factorConflict('No second factor is active.')
}

export function factorConflict(message: string): Refusal {
  return refuse('conflict', 'Conflict', message)
}

/** The state of an account's second factor. */
export type FactorStatus = {
  readonly active: boolean
  /** When the factor was confirmed. */
  readonly since?: Instant
  readonly recoveryCodesLeft: number
  /** Whether the account has roles that apply only in a login with a second factor. */
  readonly required: boolean
}

/**
 * Resolves with the state of the second factor of the caller's account. Refuses the call in the same cases as `Authenticate`, and with
 * `forbidden` if the caller lacks the permission `auth: second-factor` or acts as another account.
 */
export const readSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: presentedInput,
  parts: ['authenticate', 'accounts', 'secondFactors', 'factorRoles'],
  run:
    (parts, { assertPermitted }) =>
    async (presented): Promise<FactorStatus> => {
      const caller = assertOwnLogin(await parts.authenticate(presented))
      assertPermitted(caller)
      return await factorStatus(parts, await ownAccount(parts, caller))
    },
})

/** A factor that was set up but not confirmed is not active. */
export async function factorStatus(
  { secondFactors, factorRoles }: GivenParts<['secondFactors', 'factorRoles']>,
  { id, roles }: Account,
): Promise<FactorStatus> {
  const factor = await secondFactors.find(id)
  const { activeSince: since, recoveryLeft = 0 } = factor ?? {}
  return {
    active: since !== undefined,
    ...(since !== undefined && { since }),
    recoveryCodesLeft: recoveryLeft,
    required: roles.some(({ key }) => factorRoles?.has(key)),
  }
}

/**
 * Removes the second factor of the caller's account and its recovery codes. Roles that require a second factor stop applying at the next
 * request. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller lacks the permission `auth: second-factor`, or acts as another account;
 * - `malformed`: the password or the code is not a string;
 * - `fresh-login-required`: the account has no password, and the login is not fresh; see `AssertFresh`;
 * - `invalid`: the password or the code is missing;
 * - `too-many-attempts`: too many attempts on this account or from this network, if logins are limited;
 * - `invalid-token`: the account is deleted or disabled, or its epoch has changed;
 * - `invalid` with `not-valid`: the password is wrong (this is audited);
 * - `conflict`: no factor is active;
 * - `too-many-attempts`: too many codes were tried for this account;
 * - `invalid` with `not-valid`: the code is wrong or was used before (this is audited).
 */
export const removeSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: ownProof,
  parts: [...OWN_PASSWORD_PARTS, 'secondFactors', 'proveFactor', 'factorRoles', 'notices', 'audit'],
  run:
    (parts, checks) =>
    async (input): Promise<FactorStatus> => {
      const proof = await givenProof(parts, await ownLogin(parts, input, checks))
      const { caller, client } = proof
      const { accountId: id, email } = caller
      const entry = await assertOwnProof(parts, proof, {
        event: 'factor.remove',
        prove: (code) => parts.proveFactor({ id, email }, code, client),
      })
      if ((await parts.secondFactors.remove(id)) === 'unknown') throw noFactor()
      await parts.audit.record(entry)
      await parts.notices?.send('factor', { email, client, about: 'removed' })
      return await factorStatus(parts, await ownAccount(parts, caller))
    },
})

/**
 * Replaces the recovery codes of the caller's account with new codes, which are shown only here. Meant for an owner who never saw the
 * previous codes or has lost them. The factor and all sessions remain. Refuses the call in the same cases as `removeSecondFactor`, in the
 * same order.
 */
export const renewRecoveryCodes = identityOperation({
  permission: ['auth', 'second-factor'],
  input: ownProof,
  parts: [...PROOF_PARTS, ...OWN_PASSWORD_PARTS],
  run:
    (parts, checks) =>
    async (input): Promise<readonly string[]> => {
      const proof = await givenProof(parts, await ownLogin(parts, input, checks))
      const { caller, client } = proof
      const { accountId: id, email } = caller
      const { written, digests: recovery } = freshRecoveryCodes(parts)
      const renew = async (proof: CodeProof) =>
        (await parts.secondFactors.renewRecovery(id, { proof, recovery })) === 'renewed'
      const entry = await assertOwnProof(parts, proof, {
        event: 'factor.renew',
        prove: (code) => proveCode(parts, { id, email, client }, code, renew),
      })
      await parts.audit.record(entry)
      await parts.notices?.send('factor', { email, client, about: 'renewed' })
      return written
    },
})
