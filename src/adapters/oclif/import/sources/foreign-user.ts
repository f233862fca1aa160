import { isObject, type JsonObject } from '../../../../domain/identity/json-object.js'
import type { SourceFormats } from '../scanners.js'

/** An account as another system exports it. The members are not checked yet; `null` and an empty string mean that a member is absent. */
export type ForeignUser = {
  readonly id?: unknown
  readonly email: unknown
  readonly passwordHash?: unknown
  /** A list, or text such as `editor,admin`, `{editor,admin}` (an array of PostgreSQL) or `["editor","admin"]`. */
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
  /** Returns the account in a record; `undefined` if the record is not an account of a person. */
  readonly user: (record: JsonObject) => ForeignUser | undefined
}

/** Returns the value at a path of object keys. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

/** Returns whether the value of a database column means true: `true`, `1`, `t` or the text `true`. */
export function isTrue(value: unknown): boolean {
  return ['true', 't', '1'].includes(String(value))
}

/** Reads a key URI such as `otpauth://totp/Shop:ada@example.com?secret=GEZDGNBV&digits=6`; returns `undefined` for an empty value. */
export function totpOf(uri: unknown): ForeignTotp | undefined {
  if (typeof uri !== 'string' || uri === '') return undefined
  const parameters = URL.canParse(uri) ? new URL(uri).searchParams : new URLSearchParams()
  const [secret, algorithm, digits, period] = ['secret', 'algorithm', 'digits', 'period'].map(
    (name) => parameters.get(name) ?? undefined,
  )
  return { secret, algorithm, digits, period }
}
