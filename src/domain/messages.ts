export const REQUIRED = 'required'

/**
 * Messages about the form of a field; they are the same over HTTP, in the library and on the command line. Each message completes the
 * sentence "field: …" and contains no part of a value.
 */
export const MUST_BE = {
  string: 'must be a string',
  number: 'must be a number',
  integer: 'must be an integer',
  id: 'must be a positive integer',
  idOrEmail: 'must be a positive integer or an email',
  boolean: 'must be true or false',
  object: 'must be an object',
  array: 'must be an array',
  function: 'must be a function',
  /** The message for a parameter that is repeated. */
  single: 'must be given once',
  request: 'must be a Node request, a fetch request, or the headers of such a request',
} as const

export const NOT_VALID = 'not-valid'

/** Both bounds are inclusive. */
export function integerFrom(least: number, most: number): string {
  return `must be an integer from ${least} to ${most}`
}

export function oneOf(words: readonly string[]): string {
  return `must be one of ${words.join(', ')}`
}

/** Reports each unknown member with a suggestion; names are escaped as in JSON. */
export function unknownFields(names: readonly string[], known: readonly string[]): string {
  return names.map((name) => unknownField(name, known)).join(', ')
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = suggestionFor(name, known)
  const question = meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`
  return `unknown field ${JSON.stringify(name)}${question}`
}

/** The members of a zod issue that `wordsOf` reads. */
export type SchemaIssue = {
  readonly code?: string
  readonly path?: readonly PropertyKey[] | undefined
  readonly input?: unknown
  readonly expected?: string
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  /** The schema that reports the issue; the members of an object schema are in its `shape`. */
  readonly inst?: unknown
}

/** Returns Kennel's message for a schema error; zod's messages reveal the library and change with its version. */
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

/** Returns the known name that differs from an unknown name by one edit or only in case. */
export function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  return (
    known.find((one) => isOneEditApart(name, one)) ??
    known.find((one) => one !== name && one.toLowerCase() === lower)
  )
}

/** Returns whether the strings have a Damerau-Levenshtein distance of exactly 1. */
export function isOneEditApart(one: string, other: string): boolean {
  if (one.length > other.length) return isOneEditApart(other, one)
  if (one === other) return false
  let at = 0
  while (one[at] === other[at]) at += 1
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1)
  const replaced = one.slice(at + 1) === other.slice(at + 1)
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at]
  return replaced || (swapped && one.slice(at + 2) === other.slice(at + 2))
}
