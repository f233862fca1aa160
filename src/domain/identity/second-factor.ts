import type { Instant } from '../instant.js'

/**
 * The secret from which codes are made, in base32 (RFC 4648) for authenticator apps. Shown once, never logged, stored
 * only sealed.
 */
export type FactorSecret = string & { readonly brand: 'FactorSecret' }
/**
 * Sixteen characters of base32 without hyphens, in capitals: 80 bit. Shown once, never logged, stored only as a digest.
 */
export type RecoveryCode = string & { readonly brand: 'RecoveryCode' }
/** A sealed `FactorSecret`: a store alone can make no code. */
export type SealedSecret = string & { readonly brand: 'SealedSecret' }
/** SHA-256 of a recovery code, hexadecimal: the only form that a store holds. */
export type RecoveryDigest = string & { readonly brand: 'RecoveryDigest' }
/** How many whole periods of a code have passed since 1970 (RFC 6238 calls it T). */
export type TimeStep = number & { readonly brand: 'TimeStep' }

/** How many recovery codes a confirmed factor comes with. */
export const RECOVERY_CODES = 10

/** A typed code: a one-time code, or a recovery code for a lost device. */
export type PresentedCode =
  | { readonly kind: 'one-time'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: RecoveryCode }

const ONE_TIME = /^[0-9]{6}$/
const RECOVERY = /^[A-Z2-7]{16}$/
const LONGEST = 100

/** The kind of a typed code; `undefined` if it can be no code. Ignores spaces, hyphens and case. */
export function presentedCode(text: string): PresentedCode | undefined {
  if (text.length > LONGEST) return undefined
  const code = text.normalize('NFKC').replace(/[\s-]/gu, '').toUpperCase()
  if (ONE_TIME.test(code)) return { kind: 'one-time', code }
  return RECOVERY.test(code) ? { kind: 'recovery', code: code as RecoveryCode } : undefined
}

export function writtenRecoveryCode(code: RecoveryCode): string {
  return code.replace(/.{4}(?=.)/gu, '$&-')
}

/** The second factor of an account, as a store knows it. */
export type SecondFactor = {
  readonly sealedSecret: SealedSecret
  /** When it was set up; logins need it only after it is confirmed. */
  readonly begunAt: Instant
  readonly activeSince?: Instant
  /** The step of the newest accepted code: no code of this or an earlier step is accepted again. */
  readonly lastStep?: TimeStep
  readonly recoveryLeft: number
}

/** The complete factor, for copies between stores. */
export type StoredSecondFactor = Omit<SecondFactor, 'recoveryLeft'> & {
  /** Digests of the unused recovery codes, in the order of their text. */
  readonly recovery: readonly RecoveryDigest[]
}
