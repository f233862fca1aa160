import { isObject, type JsonObject } from '../../../../domain/identity/json-object.js'
import type { SourceFormats } from '../scanners.js'

/** An account as another system exports it. The members are not checked yet; `null` and an empty string mean that a member is absent. */
export type ForeignUser = {
  readonly id?: unknown
  readonly email: unknown
  readonly passwordHash?: unknown
  /** A list, or text such as `editor,admin`, `{editor,admin}` (a PostgreSQL array) or `["editor","admin"]`. */
  readonly roles?: unknown
  readonly disabled?: boolean
  readonly totp?: ForeignTotp | undefined
  /** Why the account cannot be imported. */
  readonly problem?: string | undefined
}

/** The parameters of an authenticator app; numbers may be given as text. */
export type ForeignTotp = {
  readonly secret: unknown
  readonly algorithm?: unknown
  readonly digits?: unknown
  readonly period?: unknown
}

/** A system whose exports can be imported. */
export type Source = SourceFormats & {
  /** Returns the account in a record; `undefined` if the record is not a person's account. */
  readonly user: (record: JsonObject) => ForeignUser | undefined
}

/** Returns the value at a path of object keys. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

/**
 * Returns a string, a number or a boolean as text, and an empty string for any other value: `String` throws an error for an object with a
 * member such as `"toString": 1`.
 */
export function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}

/** Returns whether the value of a database column represents true: `true`, `1`, or the text `true` or `t` in upper or lower case. */
export function isTrue(value: unknown): boolean {
  return ['true', 't', '1'].includes(textOf(value).toLowerCase())
}

/** Errors for accounts that would lose their second factor. */
export const NO_FACTOR_SECRET = 'the account has a second factor, but the file does not contain its secret'
export const SECURITY_KEY = 'the second factor is a security key (WebAuthn); only TOTP can be imported'

/**
 * Reads a key URI such as `otpauth://totp/Shop:ada@example.com?secret=GEZDGNBV&digits=6`. Returns `undefined` for an absent value, and a
 * factor without a secret for a value that is not a URI.
 */
export function totpOf(uri: unknown): ForeignTotp | undefined {
  if (uri === undefined || uri === null || uri === '') return undefined
  const text = textOf(uri)
  const parameters = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams()
  const [secret, algorithm, digits, period] = ['secret', 'algorithm', 'digits', 'period'].map(
    (name) => parameters.get(name) ?? undefined,
  )
  return { secret, algorithm, digits, period }
}
