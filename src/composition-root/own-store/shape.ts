import type { Instant } from '../../domain/instant.js'
import { isPositiveInteger } from '../../domain/positive-integer.js'

/** What is wrong with an answer, in our own words: nothing of what was answered is in it. */
export type Flaw = {
  /** Such as `session.current.number`; empty where it is the answer as a whole. */
  readonly member: string
  /** Such as "is not a positive integer". */
  readonly problem: string
}

/**
 * Finds the first flaw of a value that is called `member`; `args` are what the function that answered was asked. May
 * throw where the value is no object. A shape runs at every call of a part: its members are written out, which costs
 * half of walking a description of them, and where nothing is wrong it makes no object.
 */
export type Shape = (value: unknown, member: string, args: readonly unknown[]) => Flaw | undefined

export function must(holds: boolean, member: string, problem: string): Flaw | undefined {
  return holds ? undefined : { member, problem }
}

export const text = (value: unknown, member: string) =>
  must(typeof value === 'string', member, 'is not a string')

export const filled = (value: unknown, member: string) =>
  must(typeof value === 'string' && value !== '', member, 'is not a string with something in it')

export const truth = (value: unknown, member: string) =>
  must(typeof value === 'boolean', member, 'is not true or false')

export const number = (value: unknown, member: string) =>
  must(Number.isFinite(value), member, 'is not a number')

export const count = (value: unknown, member: string) =>
  must(Number.isSafeInteger(value) && (value as number) >= 0, member, 'is not an integer from 0 on')

export const positive = (value: unknown, member: string) =>
  must(isPositiveInteger(value), member, 'is not a positive integer')

export const array = (value: unknown, member: string) => must(Array.isArray(value), member, 'is not an array')

export const object = (value: unknown, member: string) =>
  must(typeof value === 'object' && value !== null, member, 'is not an object')

export const absent = (value: unknown, member: string) => must(value === undefined, member, 'is there')

export const after = (at: unknown, value: unknown, member: string) =>
  must(
    typeof value === 'number' && value > (at as Instant),
    member,
    'is not after the time that was asked for',
  )

export const asked = (wanted: unknown, value: unknown, member: string) =>
  must(value === wanted, member, 'is not the one that was asked for')

export function oneOf(...words: readonly string[]): Shape {
  const problem = `is not ${words.join(' or ')}`
  return (value, member) => must(words.includes(value as string), member, problem)
}

/** This shape, or `undefined`. */
export function optional(shape: Shape): Shape {
  return (value, member, args) => (value === undefined ? undefined : shape(value, member, args))
}

/** An object whose `kind` is one of these. */
export function kindOf(...kinds: readonly string[]): Shape {
  const shape = oneOf(...kinds)
  return (answer, _, args) => shape((answer as { kind: unknown }).kind, 'kind', args)
}

/** What can be seen of a law by its answer alone, at a cost that does not show. */
export type Answer<AtOnce extends boolean = boolean> = {
  /** Ends the sentence "it must answer …". */
  readonly law: string
  readonly shape: Shape
  /** The answer itself and not a promise of it. */
  readonly atOnce: AtOnce
}

/** A port's name in `kennel-id/ports` with every function that it must have, and what is seen of its answers. */
export type PortShape<Port = Readonly<Record<string, unknown>>> = {
  readonly port: string
  readonly functions: { readonly [Name in keyof Port]-?: AnswerOf<Port[Name]> | 'unseen' }
}

type AnswerOf<Call> = Call extends (...args: never[]) => infer Given
  ? Answer<Given extends Promise<unknown> ? false : true>
  : Answer

export const answers = (law: string, shape: Shape): Answer<false> => ({ law, shape, atOnce: false })
export const atOnce = (law: string, shape: Shape): Answer<true> => ({ law, shape, atOnce: true })

export const word = (...words: readonly string[]) => answers(words.join(' or '), oneOf(...words))
export const outcome = (...kinds: readonly string[]) =>
  answers(`an outcome of the kind ${kinds.join(' or ')}`, kindOf(...kinds))
export const howMany = answers('how many there were', count)
export const list = answers('an array', array)
export const trueOrFalse = answers('true or false', truth)
