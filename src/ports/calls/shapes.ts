import type { Instant } from '../../domain/instant.js'
import { isPositiveInteger } from '../../domain/parsed.js'

/** The first error in a result, without any of the result's content. */
export type Flaw = {
  /** The invalid member, such as `session.current.number`; empty if the whole result is invalid. */
  readonly member: string
  /** The description of the error, such as "is not a positive integer". */
  readonly problem: string
}

/**
 * Finds the first error in the value of `member`; `args` are the arguments of the call. May throw an error if the value is not an object.
 * Every call of a custom part runs a shape, so shapes create no objects for valid results; interpreting a schema instead would cost twice
 * as much.
 */
export type Shape = (value: unknown, member: string, args: readonly unknown[]) => Flaw | undefined

export function flawUnless(holds: boolean, member: string, problem: string): Flaw | undefined {
  return holds ? undefined : { member, problem }
}

export const text = (value: unknown, member: string) =>
  flawUnless(typeof value === 'string', member, 'is not a string')
export const filled = (value: unknown, member: string) =>
  flawUnless(typeof value === 'string' && value !== '', member, 'is not a non-empty string')
export const truth = (value: unknown, member: string) =>
  flawUnless(typeof value === 'boolean', member, 'is neither true nor false')
export const number = (value: unknown, member: string) =>
  flawUnless(Number.isFinite(value), member, 'is not a number')
export const count = (value: unknown, member: string) =>
  flawUnless(Number.isSafeInteger(value) && (value as number) >= 0, member, 'is not a non-negative integer')
export const positive = (value: unknown, member: string) =>
  flawUnless(isPositiveInteger(value), member, 'is not a positive integer')
export const array = (value: unknown, member: string) =>
  flawUnless(Array.isArray(value), member, 'is not an array')
export const object = (value: unknown, member: string) =>
  flawUnless(typeof value === 'object' && value !== null, member, 'is not an object')
export const absent = (value: unknown, member: string) =>
  flawUnless(value === undefined, member, 'is present')
export const asked = (wanted: unknown, value: unknown, member: string) =>
  flawUnless(value === wanted, member, 'is not the requested value')
export const after = (at: unknown, value: unknown, member: string) =>
  flawUnless(typeof value === 'number' && value > (at as Instant), member, 'is not after the requested time')

/** Requires an array with at most `limit` records; `limit` is an argument of the call. */
export const page = (rows: readonly unknown[], limit: unknown, member: string) =>
  array(rows, member) ??
  flawUnless(rows.length <= (limit as number), member, 'has more records than the limit')

/** The shapes of members, by name. */
export type Members = Readonly<Record<string, Shape>>

export function objectWith(members: Members): Shape {
  const shapes = Object.entries(members)
  return (value, _, args) => {
    for (const [name, shape] of shapes) {
      const flaw = shape((value as Readonly<Record<string, unknown>>)[name], name, args)
      if (flaw) return flaw
    }
    return undefined
  }
}

export function oneOf(...words: readonly string[]): Shape {
  const problem = `is not ${words.join(' or ')}`
  return (value, member) => flawUnless(words.includes(value as string), member, problem)
}

export function kindOf(...kinds: readonly string[]): Shape {
  const shape = oneOf(...kinds)
  return (answer, _, args) => shape((answer as { kind: unknown }).kind, 'kind', args)
}
