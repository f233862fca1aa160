import { suggestionFor } from './suggestions.js'

/** The rule of a missing field. */
export const REQUIRED = 'required'

/**
 * Rules for the form of a field: the same words over HTTP, in the library and on the command line. Each completes the
 * sentence "field: …" and holds no part of a value.
 */
export const MUST_BE = {
  string: 'must be a string',
  number: 'must be a number',
  integer: 'must be an integer',
  /** An ID that a store has assigned. */
  id: 'must be a positive integer',
  /** The account after which a list continues. */
  idOrEmail: 'must be a positive integer or an email',
  boolean: 'must be true or false',
  object: 'must be an object',
  array: 'must be an array',
  function: 'must be a function',
  /** For a parameter that was sent twice. */
  single: 'must be given once',
  /** The source of a call: its client and cookies. */
  request: 'must be a request or its headers, of Node or of fetch',
} as const

/** If there is no more specific rule. */
export const NOT_VALID = 'not-valid'

/** The rule of a whole number, both bounds included. */
export function integerFrom(least: number, most: number): string {
  return `must be an integer from ${least} to ${most}`
}

export function oneOf(words: readonly string[]): string {
  return `must be one of ${words.join(', ')}`
}

/** Names each unknown member with its likely correction; names are escaped as in JSON. */
export function unknownFields(names: readonly string[], known: readonly string[]): string {
  return names.map((name) => unknownField(name, known)).join(', ')
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = suggestionFor(name, known)
  const question = meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`
  return `unknown field ${JSON.stringify(name)}${question}`
}

/** The members of a schema error that `wordsOf` reads. */
export type SchemaIssue = {
  readonly code?: string
  readonly path?: readonly PropertyKey[] | undefined
  readonly input?: unknown
  readonly expected?: string
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  /** The schema that reports the issue; the schema of an object knows its members. */
  readonly inst?: unknown
}

/**
 * Our words for a schema error. The words of the schema library would reveal it to clients and could change with its next
 * version.
 */
export function wordsOf(issue: SchemaIssue): string {
  const { code, path = [], input, expected = '', keys = [], values = [] } = issue
  if (code === 'unrecognized_keys') return unknownFields(keys, membersOf(issue.inst))
  if (input === undefined && path.length > 0) return REQUIRED
  if (code === 'invalid_value') return oneOf(values.map(String))
  return (code === 'invalid_type' && TYPES[expected]) || NOT_VALID
}

const TYPES: Readonly<Record<string, string>> = {
  ...MUST_BE,
  int: MUST_BE.integer,
  record: MUST_BE.object,
}

function membersOf(schema: unknown): string[] {
  const shape = typeof schema === 'object' && schema !== null && 'shape' in schema ? schema.shape : undefined
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : []
}
