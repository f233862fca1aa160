import type { Instant } from '../instant.js'

/** The secret that codes are made of, sealed: a store alone makes none. */
export type SealedSecret = string & { readonly brand: 'SealedSecret' }
/** SHA-256 of a recovery code, base64url: all that a store ever holds of it. */
export type RecoveryDigest = string & { readonly brand: 'RecoveryDigest' }
/** How many whole periods of a code have passed since 1970 (RFC 6238 calls it T). */
export type TimeStep = number & { readonly brand: 'TimeStep' }

/** The second factor of an account, as a store knows it. */
export type SecondFactor = {
  readonly sealedSecret: SealedSecret
  /** When it was set up; until it is confirmed it is asked of nobody. */
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
