import { isObject, type JsonObject } from '../../../domain/identity/json-object.js'
import type { SourceFormats } from './scanners.js'
import { OperatorError } from '../../../domain/refusal.js'

/** An account as another system exports it. The members are not checked yet; `null` and an empty string mean that a member is absent. */
export type ForeignUser = {
  readonly id?: unknown
  readonly email: unknown
  readonly passwordHash?: unknown
  /** A list, or text such as `editor,admin`, `{editor,admin}` (a PostgreSQL array) or `["editor","admin"]`. */
  readonly roles?: unknown
  readonly disabled?: unknown
  readonly totp?: ForeignTotp | undefined
  /** Why the account cannot be imported. */
  readonly problem?: string | undefined
}

export type ForeignTotp = {
  readonly secret: unknown
  readonly algorithm?: unknown
  readonly digits?: unknown
  readonly period?: unknown
}

export type Source = SourceFormats & {
  /** Returns the account in a record; `undefined` if the record is not a person's account. */
  readonly user: (record: JsonObject) => ForeignUser | undefined
}

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

/**
 * Returns true for one of the texts in `yes`, and false for one of the texts in `no` or for an absent value; ignores case. Returns any other
 * value unchanged, so that the account is rejected: it may be disabled in the other system.
 */
export function either(value: unknown, yes: readonly string[], no: readonly string[]): unknown {
  if (!isPresent(value)) return false
  const text = textOf(value).toLowerCase()
  return yes.includes(text) || (no.includes(text) ? false : value)
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Reads a database column, which may contain a boolean, a number, or the text of a boolean. */
export const booleanOf = (value: unknown) => either(value, ['true', 't', '1'], ['false', 'f', '0'])

export const NO_FACTOR_SECRET = 'the account has a second factor, but the file does not contain its secret'
export const SECURITY_KEY = 'the second factor is a security key (WebAuthn); only TOTP can be imported'

/**
 * Reads a key URI such as `otpauth://totp/Shop:ada@example.com?secret=GEZDGNBV&digits=6`. Returns `undefined` for an absent value, and a
 * factor without a secret for a value that is not a URI.
 */
export function totpOf(uri: unknown): ForeignTotp | undefined {
  if (!isPresent(uri)) return undefined
  const text = textOf(uri)
  const parameters = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams()
  const [secret, algorithm, digits, period] = ['secret', 'algorithm', 'digits', 'period'].map(
    (name) => parameters.get(name) ?? undefined,
  )
  return { secret, algorithm, digits, period }
}

export type RoleMapping = ReturnType<typeof createRoleMapping>

/** Maximum number of different roles that are counted, so that a damaged file cannot fill the memory. */
const COUNTED_MAX = 1_000
const NAME_MAX = 100

/**
 * Creates a mapping to these `known` roles. An entry of `renamed` is `OLD=NEW`, or `OLD=` to omit a role; roles without an entry keep their
 * names. Throws an `OperatorError` if an entry has a different form, or if the new role does not exist.
 */
export function createRoleMapping(known: ReadonlySet<string>, renamed: readonly string[]) {
  const names = new Map(renamed.map((entry) => pairOf(entry)))
  const missing = [...names.values()].filter((name) => name !== '' && !known.has(name))
  if (missing.length > 0)
    throw new OperatorError(missing.map((name) => `--role: There is no role "${name}".`))
  const [roles, unknownRoles] = [new Map<string, number>(), new Map<string, number>()]
  return {
    /**
     * Returns the role keys in a list of roles, or in text that contains such a list. Roles that do not exist here are omitted and counted.
     */
    map: (texts: unknown): string[] => {
      const keys = new Set(rolesOf(texts).map((role) => names.get(role) ?? role))
      keys.delete('')
      for (const key of keys) count(known.has(key) ? roles : unknownRoles, key)
      return [...keys].filter((key) => known.has(key))
    },
    /** Counts the accounts per role: `roles` by role key; `unknownRoles` by their name in the other system. */
    counts: () => ({ roles: Object.fromEntries(roles), unknownRoles: Object.fromEntries(unknownRoles) }),
  }
}

function pairOf(entry: string): readonly [string, string] {
  const at = entry.lastIndexOf('=')
  if (at < 1) throw new OperatorError([`--role: "${entry}" is not OLD=NEW.`])
  return [entry.slice(0, at), entry.slice(at + 1)]
}

function rolesOf(value: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(value)
    ? value
    : textOf(value)
        .replace(/^[[{]|[\]}]$/g, '')
        .split(',')
  return list
    .map((role) =>
      textOf(role)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    )
    .filter((role) => role !== '' && role !== 'null')
}

function count(counts: Map<string, number>, role: string): void {
  const name = role.slice(0, NAME_MAX)
  if (counts.has(name) || counts.size < COUNTED_MAX) counts.set(name, (counts.get(name) ?? 0) + 1)
}
