import * as is from './shapes.js'

/** `race`: exactly one concurrent caller succeeds, and each caller's result says whether that caller succeeded. */
type CallKind = 'read' | 'write' | 'race'

/** The required result of a call; the result of every call of a custom part is checked. */
export type Outcome = {
  /** Completes the sentence "it must return …". */
  readonly law: string
  readonly shape: is.Shape
  /** The shape of the result or, if the result is an object, of its members; never covers `undefined`. */
  readonly required: is.Shape | is.Members
  /** The allowed strings, if the result comes from a fixed list. */
  readonly words?: readonly string[]
  /** The allowed values of `kind`, if the result is an object with a `kind`. */
  readonly kinds?: readonly string[]
}

export type Call = {
  readonly kind: CallKind
  readonly args: readonly string[]
  /** `undefined` if the result needs no check. */
  readonly outcome: Outcome | undefined
  /** Whether the call returns its result directly, not as a promise. */
  readonly synchronous: boolean
  /** Implements an optional call with the port's other calls; absent for required calls. */
  readonly fallback?: (port: never) => (...args: never[]) => unknown
}

export type Calls = Readonly<Record<string, Call>>

/** Makes the compiler reject missing and extra strings. */
export type WithTag<Tag> = { readonly of?: (tag: Tag) => Tag }
type TagOf<Answer> = Answer extends string ? Answer : Answer extends { kind: infer Kind } ? Kind : never

/** Only synchronous calls and calls that resolve with nothing may be `UNCHECKED`. */
type OutcomeOf<Answer> =
  Answer extends Promise<void>
    ? undefined
    : Answer extends Promise<infer Result>
      ? Outcome & WithTag<TagOf<Result>>
      : (Outcome & WithTag<TagOf<Answer>>) | undefined

type CallOf<Result> = Result extends (...args: infer Args) => infer Answer
  ? Omit<Call, 'fallback'> & {
      readonly args: { readonly [At in keyof Args]-?: string }
      readonly outcome: OutcomeOf<Answer>
      readonly synchronous: Answer extends Promise<unknown> ? false : true
    }
  : never

/** The table of all calls of a port; the calls in `Optional` need a fallback. */
export type CallsOf<Port, Optional = never> = {
  readonly [Name in keyof Port]-?: CallOf<Port[Name]> &
    (Name extends Optional ? { readonly fallback: (port: Omit<Port, Name>) => Port[Name] } : unknown)
}

const callOf =
  <Synchronous extends boolean>(kind: CallKind, synchronous: Synchronous) =>
  <Result extends Outcome | undefined, const Args extends readonly string[]>(
    outcome: Result,
    ...args: Args
  ) => ({
    kind,
    args,
    outcome,
    synchronous,
  })

export const read = callOf('read', false)
export const write = callOf('write', false)
export const race = callOf('race', false)
/** Declares a call that does not return a promise. */
export const synchronous = callOf('read', true)
/** For a call whose result needs no check. */
export const UNCHECKED = undefined

/** Requires a result of this shape, or an object whose members have these shapes. */
export const answers = (law: string, required: is.Shape | is.Members): Outcome => ({
  law,
  shape: typeof required === 'function' ? required : is.objectWith(required),
  required,
})

/** Like `answers`, but also allows the result `undefined`. */
export function maybe(law: string, required: is.Shape | is.Members): Outcome {
  const { shape } = answers(law, required)
  return {
    law: `${law}, or undefined`,
    shape: (value, member, args) => (value === undefined ? undefined : shape(value, member, args)),
    required,
  }
}

export function words<const Word extends string>(...words: readonly Word[]): Outcome & WithTag<Word> {
  return { ...answers(words.join(' or '), is.oneOf(...words)), words }
}

export function kinds<const Kind extends string>(...kinds: readonly Kind[]): Outcome & WithTag<Kind> {
  return { ...answers(`an outcome of the kind ${kinds.join(' or ')}`, is.kindOf(...kinds)), kinds }
}

export const HOW_MANY = answers('a count', is.count)
export const LIST = answers('an array', is.array)
export const TRUE_OR_FALSE = answers('true or false', is.truth)

const NAMES: Readonly<Record<string, string>> = {
  attempts: 'AttemptLimiter',
  audit: 'AuditLog',
  auditSinks: 'AuditSink',
  hasher: 'PasswordHasher',
}

/** Maps a port's name in a store or in the option `parts` to the name of its type in `kennel-id/ports`. */
export const portOf = (name: string) => NAMES[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
