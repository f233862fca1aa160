import type { Instant, Milliseconds } from '../instant.js'
import { Refusal } from '../refusal.js'
import type { Caller } from './caller.js'

/** How recently a login's owner must have proved their identity to perform an action. */
export type StepUp = {
  /** The maximum time since the owner last proved their identity with the password. */
  readonly fresh?: Milliseconds | undefined
  /** `true` requires a login with a second factor that the account still has; a duration also limits the age of the last code. */
  readonly factor?: true | Milliseconds | undefined
}

/** The fields in a confirmation that prove the first factor and the second factor. */
export type ProofField = 'password' | 'code'

type Ways = {
  /** `undefined` if unknown. */
  readonly hasPassword: boolean | undefined
  /** Whether the account has a second factor; `undefined` if it is unknown. */
  readonly hasFactor: boolean | undefined
  /** Whether passkeys are enabled, even if the account has no passkey. */
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

/** A time in the future does not count as recent; otherwise, setting back a clock would make old proofs recent. */
function isRecent(provedAt: Instant | undefined, age: Milliseconds, at: Instant): boolean {
  return provedAt !== undefined && Math.abs(at - provedAt) <= age
}

/**
 * Returns the refusal for a login whose owner must confirm these fields first, or `passkey`, which replaces them. A confirmation with a
 * code also needs the password. If the account has no password and passkeys are disabled, the refusal names no field, because only a new
 * login helps. A passkey does not replace the code of an account without a second factor: the owner must set one up first.
 */
export function freshLoginRequired(
  missing: readonly ProofField[],
  { hasPassword = true, hasFactor = true, hasPasskeys }: Ways,
  what: string,
): Refusal {
  const lacksFactor = !hasFactor && missing.includes('code')
  const own = missing.filter((field) => hasPassword || (lacksFactor && field === 'code'))
  const fields = [...own, ...(hasPasskeys && !lacksFactor ? ['passkey'] : [])]
  const messages = (fields.length > 0 ? fields : ['']).map((field) => ({
    field,
    type: 'Required' as const,
    message: 'fresh-login-required',
  }))
  return new Refusal('fresh-login-required', messages, `${what} needs a more recent proof of identity`)
}
