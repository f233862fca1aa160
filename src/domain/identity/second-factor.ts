import type { Instant } from '../instant.js'
import { accepted, broken, type Parsed } from '../parsed.js'

/**
 * The secret of the one-time codes in base32 (RFC 4648), such as `GEZDGNBV`. Unusual parameters of an imported secret are appended:
 * `GEZDGNBV?algorithm=SHA256&digits=8&period=60`. Shown once, never logged, stored only encrypted.
 */
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

/** The only parameters that all authenticator apps support; some apps ignore the parameters of a URI. */
const CODE_DEFAULTS: CodeParameters = { algorithm: 'SHA1', digits: 6, period: 30 }

const CODE_VALUES: { readonly [Name in keyof CodeParameters]: readonly unknown[] } = {
  algorithm: CODE_ALGORITHMS,
  digits: CODE_DIGITS,
  period: CODE_PERIODS,
}

/** The secret of a second factor from another system, with the parameters that differ from `CODE_DEFAULTS`. */
export type ImportedSecret = { readonly secret: string } & {
  readonly [Name in keyof CodeParameters]?: CodeParameters[Name] | undefined
}

/** 128 bytes in base32, with padding. */
const SECRET_MAX = 208
/** 1 to 128 bytes in 2 to 205 characters. Trailing bits that do not fill a byte are accepted, because authenticator apps ignore them. */
const BASE32 = /^([A-Z2-7]{2,205})={0,7}$/

/**
 * Parses a secret of at most 128 bytes in base32, in upper or lower case and with or without padding. Also checks the parameters, because
 * an embedder may pass them from another system.
 */
export function factorSecret({ secret, ...parameters }: ImportedSecret): Parsed<FactorSecret> {
  const base32 = BASE32.exec(secret.slice(0, SECRET_MAX).toUpperCase())?.[1]
  if (base32 === undefined || secret.length > SECRET_MAX)
    return broken('Format', 'secret must be 1 to 128 bytes in base32')
  const names = Object.keys(CODE_DEFAULTS) as (keyof CodeParameters)[]
  const wrong = names.find((name) => !CODE_VALUES[name].includes(parameters[name] ?? CODE_DEFAULTS[name]))
  if (wrong) return broken('Format', `${wrong} must be one of ${CODE_VALUES[wrong].join(', ')}`)
  const different = names.flatMap((name) => {
    const value = parameters[name] ?? CODE_DEFAULTS[name]
    return value === CODE_DEFAULTS[name] ? [] : [`${name}=${value}`]
  })
  const query = different.length === 0 ? '' : `?${different.join('&')}`
  return accepted(`${base32}${query}` as FactorSecret)
}

export function codeParameters(secret: FactorSecret): CodeParameters & { readonly secret: string } {
  const [base32 = '', query = ''] = secret.split('?')
  const written: Partial<Record<string, string>> = Object.fromEntries(new URLSearchParams(query))
  const { algorithm, digits, period } = { ...CODE_DEFAULTS, ...written } as Record<
    keyof CodeParameters,
    unknown
  >
  const parameters = { algorithm, digits: Number(digits), period: Number(period) } as CodeParameters
  return { secret: base32, ...parameters }
}

export const RECOVERY_CODES = 10

/** A code that a user enters: a one-time code, or a recovery code if the device is lost. */
export type PresentedCode =
  | { readonly kind: 'one-time'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: RecoveryCode }

const ONE_TIME = /^(?:[0-9]{6}|[0-9]{8})$/
const RECOVERY = /^[A-Z2-7]{16}$/
const TEXT_MAX = 100

/** Parses a code that a user enters, ignoring spaces, hyphens and case. Returns `undefined` for any other string. */
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
  /** When the factor's setup began. Logins require the factor only after it is confirmed. */
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
