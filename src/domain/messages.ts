import { suggestionFor } from './suggestions.js'

/** What a field lacks that has to be there. */
export const REQUIRED = 'required'

/**
 * What a field has to be: the same words over HTTP, in the library and on the command line. Each
 * completes the sentence "field: …" and holds nothing of a value.
 */
export const MUST_BE = {
  string: 'must be a string',
  number: 'must be a number',
  integer: 'must be an integer',
  /** An id that a store has given. */
  id: 'must be a positive integer',
  /** Where a list goes on: an account, by either. */
  idOrEmail: 'must be a positive integer or an email',
  boolean: 'must be true or false',
  object: 'must be an object',
  array: 'must be an array',
  function: 'must be a function',
  /** Of a parameter that was sent twice. */
  single: 'must be given once',
  /** What tells who sent it. */
  request: 'must be a request or its headers, of Node or of fetch',
} as const

/** Of what nothing more can be said. */
export const NOT_VALID = 'not-valid'

/** The rule of a whole number, both bounds included. */
export function integerFrom(least: number, most: number): string {
  return `must be an integer from ${least} to ${most}`
}

/** The rule of a choice. */
export function oneOf(words: readonly string[]): string {
  return `must be one of ${words.join(', ')}`
}

/** Names each unknown member, and what was probably meant; names are escaped as JSON does. */
export function unknownFields(names: readonly string[], known: readonly string[]): string {
  return names.map((name) => unknownField(name, known)).join(', ')
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = suggestionFor(name, known)
  const question = meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`
  return `unknown field ${JSON.stringify(name)}${question}`
}

/** What a schema rejects, as far as words are made of it. */
export type SchemaIssue = {
  readonly code?: string
  readonly path?: readonly PropertyKey[] | undefined
  readonly input?: unknown
  readonly expected?: string
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  /** The schema that complains; that of an object knows its members. */
  readonly inst?: unknown
}

/**
 * Our words for what a schema rejects, in the place of those of its library, which would tell
 * clients what we are built with and change with its next version.
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
