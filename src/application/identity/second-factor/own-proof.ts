import type { AuditEvent } from '../../../domain/audit.js'
import { accepted } from '../../../domain/parsed.js'
import type { Instant } from '../../../domain/instant.js'
import { refuse, type Refusal } from '../../../domain/refusal.js'
import type { AuditEntry } from '../../audit/audit-trail.js'
import { optional, parseFields, parseRequired, text } from '../../fields.js'
import { notValid, passwordCheck, type OwnRequest, type OwnPasswordParts } from '../own-account.js'
import { formText, formParser } from '../presented.js'
import type { GivenParts } from '../part-types.js'

/** The password and a code, which the owner must provide to change an active factor. */
export const ownProof = formParser({ password: optional(text), code: formText })

/** The dependencies needed to check the proof. */
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
  const wrong = async (field: 'password' | 'code') => {
    await parts.audit.record({ ...entry, outcome: 'failure' })
    return notValid(field)
  }
  if (!(await password())) throw await wrong('password')
  if ((await parts.secondFactors.find(caller.accountId))?.activeSince === undefined) throw noFactor()
  if ((await prove(code)) === undefined) throw await wrong('code')
  return entry
}

/** Returns the refusal for an account without an active factor. */
export function noFactor(): Refusal {
  return factorConflict('No second factor is active.')
}

/** Returns the refusal for a factor that is not in the required state. */
export function factorConflict(message: string): Refusal {
  return refuse('conflict', 'Conflict', message)
}
