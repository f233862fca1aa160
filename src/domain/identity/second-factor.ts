import type { Instant } from '../instant.js'

/** The secret of the one-time codes, in base32 (RFC 4648). Shown once, never logged, stored only encrypted. */
export type FactorSecret = string & { readonly brand: 'FactorSecret' }
/** A recovery code: 80 bits as 16 uppercase base32 characters without hyphens. Shown once, never logged, stored only as a digest. */
export type RecoveryCode = string & { readonly brand: 'RecoveryCode' }
/** An encrypted `FactorSecret`; because of the encryption, access to the store is not enough to compute codes. */
export type SealedSecret = string & { readonly brand: 'SealedSecret' }
/** The SHA-256 digest of a recovery code in hexadecimal, the only form that a store keeps. */
export type RecoveryDigest = string & { readonly brand: 'RecoveryDigest' }
/** The number of whole code periods since 1970 (T in RFC 6238). */
export type TimeStep = number & { readonly brand: 'TimeStep' }

/** How an authenticator app computes codes from the secret (RFC 6238). The period is in seconds. */
export type CodeParameters = {
  readonly algorithm: (typeof CODE_ALGORITHMS)[number]
  readonly digits: (typeof CODE_DIGITS)[number]
  readonly period: (typeof CODE_PERIODS)[number]
}

export const CODE_ALGORITHMS = ['SHA1', 'SHA256', 'SHA512'] as const
export const CODE_DIGITS = [6, 8] as const
export const CODE_PERIODS = [30, 60] as const

export const RECOVERY_CODES = 10

/** A code that a user enters: a one-time code, or a recovery code if the device is lost. */
export type PresentedCode =
  | { readonly kind: 'one-time'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: RecoveryCode }

const ONE_TIME = /^[0-9]{6}$/
const RECOVERY = /^[A-Z2-7]{16}$/
const TEXT_MAX = 100

/** Parses a code that a user enters, ignoring spaces, hyphens and case. Returns `undefined` for any other text. */
export function presentedCode(text: string): PresentedCode | undefined {
  if (text.length > TEXT_MAX) return undefined
  const code = text.normalize('NFKC').replace(/[\s-]/gu, '').toUpperCase()
  if (ONE_TIME.test(code)) return { kind: 'one-time', code }
  return RECOVERY.test(code) ? { kind: 'recovery', code: code as RecoveryCode } : undefined
}

export function writtenRecoveryCode(code: RecoveryCode): string {
  return code.replace(/.{4}(?=.)/gu, '$&-')
}

/** The second factor of an account in a store. */
export type SecondFactor = {
  readonly sealedSecret: SealedSecret
  /** When the setup of the factor began. Logins require the factor only after it is confirmed. */
  readonly begunAt: Instant
  readonly activeSince?: Instant
  /** The time step of the last accepted code. Codes of this step and of earlier steps are rejected. */
  readonly lastStep?: TimeStep
  readonly recoveryLeft: number
}

/** The complete factor, for copies between stores. */
export type StoredSecondFactor = Omit<SecondFactor, 'recoveryLeft'> & {
  /** Digests of the unused recovery codes, sorted. */
  readonly recovery: readonly RecoveryDigest[]
}
