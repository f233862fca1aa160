import type { Instant } from '../instant.js'

/** What codes are made of, in base32 (RFC 4648) as authenticator apps take it. Shown once, never logged, never stored as it is. */
export type FactorSecret = string & { readonly brand: 'FactorSecret' }
/** Sixteen characters of base32 without hyphens, in capitals: 80 bit. Shown once, never logged, never stored as it is. */
export type RecoveryCode = string & { readonly brand: 'RecoveryCode' }
/** The secret that codes are made of, sealed: a store alone makes none. */
export type SealedSecret = string & { readonly brand: 'SealedSecret' }
/** SHA-256 of a recovery code, hexadecimal: all that a store ever holds of it. */
export type RecoveryDigest = string & { readonly brand: 'RecoveryDigest' }
/** How many whole periods of a code have passed since 1970 (RFC 6238 calls it T). */
export type TimeStep = number & { readonly brand: 'TimeStep' }

/** How many recovery codes a confirmed factor comes with. */
export const RECOVERY_CODES = 10

/** A code as it was typed: of the moment, or one of those for when the device is gone. */
export type PresentedCode =
  | { readonly kind: 'one-time'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: RecoveryCode }

const ONE_TIME = /^[0-9]{6}$/
const RECOVERY = /^[A-Z2-7]{16}$/
/** No code has more, however it is written. */
const LONGEST = 100

/** What kind of code it may be; `undefined` for what is none. Spaces and hyphens are nothing, and neither is the case. */
export function presentedCode(text: string): PresentedCode | undefined {
  if (text.length > LONGEST) return undefined
  const code = text.normalize('NFKC').replace(/[\s-]/gu, '').toUpperCase()
  if (ONE_TIME.test(code)) return { kind: 'one-time', code }
  return RECOVERY.test(code) ? { kind: 'recovery', code: code as RecoveryCode } : undefined
}

/** As people are shown it, in groups of four. */
export function writtenRecoveryCode(code: RecoveryCode): string {
  return code.replace(/.{4}(?=.)/gu, '$&-')
}

/** The second factor of an account, as a store knows it. */
export type SecondFactor = {
  readonly sealedSecret: SealedSecret
  /** When it was set up; until it is confirmed no login is asked for it. */
  readonly begunAt: Instant
  /** When it was confirmed. */
  readonly activeSince?: Instant
  /** The step of the newest code that was accepted: no code of it, or of an earlier one, is accepted again. */
  readonly lastStep?: TimeStep
  /** How many recovery codes are left. */
  readonly recoveryLeft: number
}

/** The same whole, as it is copied from store to store. */
export type StoredSecondFactor = Omit<SecondFactor, 'recoveryLeft'> & {
  /** Of the recovery codes that are left, in the order of their text. */
  readonly recovery: readonly RecoveryDigest[]
}
