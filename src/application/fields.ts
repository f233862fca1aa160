import { isObject } from '../domain/identity/json-object.js'
import { MUST_BE, oneOf, REQUIRED, unknownFields } from '../domain/messages.js'
import { broken, type Parsed, isPositiveInteger } from '../domain/parsed.js'
import { Refusal, type Message } from '../domain/refusal.js'

type Values<P> = { [K in keyof P]: P[K] extends Parsed<infer T> ? T : never }

/** Returns the values of parsed fields, or throws one `invalid` refusal that names every violated rule. */
export function parseFields<P extends Record<string, Parsed<unknown>>>(parsed: P): Values<P> {
  const messages: Message[] = []
  const values: Record<string, unknown> = {}
  for (const [field, one] of Object.entries(parsed)) {
    if (one.ok) values[field] = one.value
    else messages.push({ field, type: one.type, message: one.rule })
  }
  if (messages.length > 0) throw new Refusal('invalid', messages)
  return values as Values<P>
}

/** Applies the rule to a string; a missing or empty string is reported as `required`. */
export function parseRequired<Result extends Parsed<unknown> | Promise<Parsed<unknown>>>(
  text: string | undefined,
  rule: (text: string) => Result,
): Result | Parsed<never> {
  return text ? rule(text) : broken('Required', REQUIRED)
}

export function malformed(field: string, message: string, cause?: unknown): Refusal {
  return new Refusal('malformed', [{ field, type: 'Format', message }], undefined, cause)
}

/** An error in an input; `isRule` is `true` if the input is well-formed but violates a domain rule. */
export type FieldError = Message & { readonly isRule?: true }

/**
 * Reads a value from an untyped caller: returns a copy as plain data, or adds errors. `field` is the path of the value. If the parser adds
 * errors, its return value is meaningless.
 */
export type Parser<T> = {
  (value: unknown, field: string, errors: FieldError[]): T
  /** Whether a member of an object may be absent; a member that is `undefined` is then treated as absent. */
  readonly isOptional?: boolean
  /** Whether a member of an object must be present, with any value. */
  readonly isAny?: boolean
}

export type Optional<T> = Parser<T> & { readonly isOptional: true }

export type Shape = Readonly<Record<string, Parser<unknown>>>

type OptionalNames<S> = { [Name in keyof S]: S[Name] extends Optional<unknown> ? Name : never }[keyof S]
export type ReadBy<P> = P extends Parser<infer T> ? T : never

type Members<S> = { readonly [Name in Exclude<keyof S, OptionalNames<S>>]: ReadBy<S[Name]> } & {
  readonly [Name in OptionalNames<S>]?: ReadBy<S[Name]> | undefined
}

export type Argument = readonly [field: string, parser: Parser<unknown>]

/**
 * Parses the arguments of a call. A single object needs no name in errors, because its members have names. Refuses the call with `malformed`
 * if a value has the wrong form, or with `invalid` if values only violate domain rules; the refusal names every invalid field.
 */
export function readArguments(parsers: readonly Argument[], args: readonly unknown[]): unknown[] {
  const errors: FieldError[] = []
  const read = readable(() => parsers.map(([field, parser], at) => parser(args[at], field, errors)))
  refuseErrors(errors)
  return read
}

function refuseErrors(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  const messages = errors.map(({ field, type, message }) => ({ field, type, message }))
  throw new Refusal(errors.every(({ isRule }) => isRule) ? 'invalid' : 'malformed', messages)
}

/**
 * Calls a function that reads a caller-supplied object, and returns the function's result. Refuses the call with `malformed` if a getter or
 * a proxy in the object throws.
 */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const message = { field: '', type: 'Format', message: 'cannot be read' } as const
    throw new Refusal('malformed', [message], 'reading a member of the input threw an error', error)
  }
}

/** Returns a parser that accepts a value if it passes the test, and otherwise reports the message `must`. */
export function that<T>(must: string, test: (value: unknown) => boolean): Parser<T> {
  return (value, field, errors) => {
    if (!test(value)) errors.push(wrongForm(value, field, must))
    return value as T
  }
}

function wrongForm(value: unknown, field: string, must: string): FieldError {
  if (value === undefined && field !== '') return { field, type: 'Required', message: REQUIRED }
  return { field, type: 'Format', message: must }
}

export const text = that<string>(MUST_BE.string, (value) => typeof value === 'string')
export const flag = that<boolean>(MUST_BE.boolean, (value) => typeof value === 'boolean')
export const number = that<number>(MUST_BE.number, (value) => typeof value === 'number')
/** Accepts any value, because the operation itself checks the value. */
export const anything: Parser<unknown> = Object.assign((value: unknown) => value, { isAny: true })

export function id<Id extends number>(): Parser<Id> {
  return that<Id>(MUST_BE.id, isPositiveInteger)
}

export function choice<T extends string | number>(
  words: readonly T[],
  must = oneOf(words.map(String)),
): Parser<T> {
  return that<T>(must, (value) => words.includes(value as T))
}

export function optional<T>(parser: Parser<T>): Optional<T | undefined> {
  const read: Parser<T | undefined> = (value, field, errors) =>
    value === undefined ? undefined : parser(value, field, errors)
  return Object.assign(read, { isOptional: true as const })
}

export function nullable<T>(parser: Parser<T>): Parser<T | null> {
  return (value, field, errors) => (value === null ? null : parser(value, field, errors))
}

/** Returns a parser that applies a domain rule to a value if its form is valid. */
export function withRule<I, T>(parser: Parser<I>, rule: (value: I) => Parsed<T>): Parser<T> {
  return (value, field, errors) => {
    const before = errors.length
    const read = parser(value, field, errors)
    if (errors.length > before) return undefined as T
    const parsed = rule(read)
    if (parsed.ok) return parsed.value
    errors.push({ field, type: parsed.type, message: parsed.rule, isRule: true })
    return undefined as T
  }
}

/** Longer lists are not read, because an array can claim to have four billion elements. */
const LIST_MAX = 1_000

export function listOf<T>(element: Parser<T>): Parser<readonly T[]> {
  const short = that<readonly unknown[]>(
    `must be an array of at most ${LIST_MAX}`,
    (value) => Array.isArray(value) && value.length <= LIST_MAX,
  )
  return (value, field, errors) => {
    const before = errors.length
    const list = short(value, field, errors)
    if (errors.length > before) return []
    // Elements are read by index and only up to the checked length, because the caller may control the iterator and the length.
    const length = Math.min(list.length, LIST_MAX)
    return Array.from({ length }, (_, at) => element(list[at], path(field, String(at)), errors))
  }
}

export type ObjectParser<T> = Parser<T> & {
  /** Returns the same parser extended with more members; the errors of the added members come first. */
  readonly with: (members: Shape) => Parser<unknown>
  /** Returns whether the object may have a member with this name. */
  readonly has: (member: string) => boolean
}

/**
 * Returns a parser for an object with these members; it reads each member once into a copy, so that the operation gets the checked value.
 * An optional member that is `undefined` is omitted; an unknown member is an error.
 */
export function fields<S extends Shape>(
  shape: S,
  check?: (read: Readonly<Record<string, unknown>>, field: string, errors: FieldError[]) => void,
): ObjectParser<{ readonly [Name in keyof Members<S>]: Members<S>[Name] }> {
  type Read = { readonly [Name in keyof Members<S>]: Members<S>[Name] }
  const known = Object.keys(shape)
  const members = Object.entries(shape)
  const parser: Parser<Read> = (value, field, errors) => {
    const read: Record<string, unknown> = {}
    if (!isObject(value)) {
      errors.push(wrongForm(value, field, MUST_BE.object))
      return read as Read
    }
    for (const [name, parser] of members) {
      const member = value[name]
      if (member === undefined && parser.isOptional) continue
      if (parser.isAny && !(name in value)) errors.push(wrongForm(undefined, path(field, name), REQUIRED))
      else read[name] = parser(member, path(field, name), errors)
    }
    const unknown = Object.keys(value).filter((name) => !known.includes(name))
    if (unknown.length > 0) errors.push({ field, type: 'Format', message: unknownFields(unknown, known) })
    check?.(read, field, errors)
    return read as Read
  }
  return Object.assign(parser, {
    with: (more: Shape) => fields({ ...more, ...shape }, check),
    has: (member: string) => known.includes(member),
  })
}

export function byKind<T>(must: string, kinds: Readonly<Record<string, Parser<T>>>): Parser<T> {
  return (value, field, errors) => {
    if (!isObject(value)) {
      errors.push(wrongForm(value, field, must))
      return value as T
    }
    const { kind } = value
    const parser = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (parser) return parser(value, field, errors)
    errors.push({ field: path(field, 'kind'), type: 'Format', message: must })
    return value as T
  }
}

export function path(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`
}
