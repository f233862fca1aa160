import type { Instant, Milliseconds } from '../instant.js'
import { Refusal } from '../refusal.js'
import type { Caller } from './caller.js'

/** How recently the owner of a login must have proved their identity before they may perform an action. */
export type StepUp = {
  /** The maximum age of the last proof with the password. */
  readonly fresh?: Milliseconds | undefined
  /** With `true`, the login needs a second factor that the account still has; with a duration, also a code of at most this age. */
  readonly factor?: true | Milliseconds | undefined
}

/** The fields of a confirmation that prove the first and the second factor. */
export type ProofField = 'password' | 'code'

/** How the owner of a login can confirm it. */
type Ways = {
  /** `undefined` if it is unknown. */
  readonly hasPassword: boolean | undefined
  /** Whether passkeys are enabled; the account may have none. */
  readonly hasPasskeys: boolean
}

/**
 * Returns the fields that the caller must still confirm, or `[]` if the login meets the condition. Only the owner's own login can meet a
 * condition: an impersonation, an API key and HTTP Basic never do, and get `undefined`.
 */
export function missingProofs(
  caller: Caller,
  { fresh, factor }: StepUp,
  at: Instant,
): readonly ProofField[] | undefined {
  if (caller.kind !== 'account' || caller.actor || caller.sessionId === undefined) return undefined
  const { proved, factorSince } = caller
  const missing: ProofField[] = []
  if (fresh !== undefined && !isRecent(proved?.at, fresh, at)) missing.push('password')
  if (factor !== undefined && !hasFactor(factorSince && proved?.factorAt, factor, at)) missing.push('code')
  return missing
}

function hasFactor(provedAt: Instant | undefined, factor: true | Milliseconds, at: Instant): boolean {
  return provedAt !== undefined && (factor === true || isRecent(provedAt, factor, at))
}

/** A proof with a future time is not recent either; otherwise, after a clock was set back, an old proof would count as recent. */
function isRecent(provedAt: Instant | undefined, age: Milliseconds, at: Instant): boolean {
  return provedAt !== undefined && Math.abs(at - provedAt) <= age
}

/**
 * Returns the refusal for a login whose owner must confirm these fields first, or `passkey`, which replaces them. A confirmation with a code
 * also needs the password. Without a password and passkeys, the refusal names no field: only a new login helps.
 */
export function freshLoginRequired(
  missing: readonly ProofField[],
  { hasPassword = true, hasPasskeys }: Ways,
  what: string,
): Refusal {
  const fields = [...(hasPassword ? missing : []), ...(hasPasskeys ? ['passkey'] : [])]
  const messages = (fields.length > 0 ? fields : ['']).map((field) => ({
    field,
    type: 'Required' as const,
    message: 'fresh-login-required',
  }))
  return new Refusal('fresh-login-required', messages, `${what} needs a more recent proof of identity`)
}
