import type { AttemptLimit } from '../ports/attempt-limiter.js'
import { integerFrom, MUST_BE } from '../domain/messages.js'
import {
  invalid,
  means,
  wrongType,
  textOption,
  textual,
  type Reader,
  type Reading,
  type TextReader,
} from './reader.js'

/** A number of milliseconds, or a string such as `15m` or `7d`. */
export type DurationOption = number | string

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(?:0|(?<count>\d{1,9})(?<unit>ms|s|m|h|d))$/
const COUNT_MAX = 999_999_999

const BYTES = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2 } as const
const SIZE = /^(?<count>\d{1,9})(?<unit>b|kb|mb|)$/i

/** Converts `500ms`, `30s`, `15m`, `12h`, `7d` or `0` to milliseconds; returns `undefined` for any other string. */
export function milliseconds(text: string): number | undefined {
  const groups = DURATION.exec(text)?.groups
  if (groups === undefined) return undefined
  return Number(groups['count'] ?? 0) * MILLISECONDS[(groups['unit'] ?? 'ms') as keyof typeof MILLISECONDS]
}

/** Converts `64kb`, `1mb`, `512b` or `512` to bytes, with 1024 bytes in a kB. Returns `undefined` for any other string. */
export function bytes(text: string): number | undefined {
  const groups = SIZE.exec(text)?.groups
  if (groups === undefined) return undefined
  return Number(groups['count']) * BYTES[(groups['unit'] ?? '').toLowerCase() as keyof typeof BYTES]
}

export function duration(from: string, to: string): Reader<number, DurationOption> {
  return time(from, to, 1, `must be a duration from ${from} to ${to}`)
}

/** A duration in whole seconds, because tokens contain times in seconds. */
export function wholeSeconds(from: string, to: string): Reader<number, DurationOption> {
  return time(from, to, 1_000, `must be a duration from ${from} to ${to} in whole seconds`)
}

function time(from: string, to: string, step: number, rule: string): Reader<number, DurationOption> {
  const [least = 0, most = 0] = [from, to].map(milliseconds)
  const check = (value: number | undefined): Reading<number> =>
    value !== undefined && value >= least && value <= most && value % step === 0
      ? means(value)
      : invalid(rule)
  const text: TextReader<number> = (input) => check(milliseconds(input))
  return {
    text,
    option: (value, rules) => {
      if (typeof value === 'string') return textOption(value, rules, text)
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
        return wrongType('must be a number of milliseconds, or a string such as 15m')
      const count = value % 1_000 === 0 ? value / 1_000 : value
      // A string could not express a larger number.
      return check(count <= COUNT_MAX ? value : undefined)
    },
  }
}

/** Creates a reader that also accepts a word with the given meaning. */
function orWord<T, Option, Word extends string, Meaning>(
  word: Word,
  meaning: Meaning,
  reader: Reader<T, Option>,
): Reader<T | Meaning, Option | Word> {
  const text: TextReader<T | Meaning> = (input, rules) =>
    input === word ? means(meaning) : reader.text(input, rules)
  return {
    text,
    option: (value, rules) =>
      typeof value === 'string' ? textOption(value, rules, text) : reader.option(value, rules),
  }
}

/** A retention period in milliseconds; `undefined` if the string is `forever`. */
export const retention = orWord(
  'forever',
  undefined,
  time('1d', '3650d', 1, 'must be forever, or a duration from 1d to 3650d'),
)

export function size(from: string, to: string): Reader<number> {
  const [least = 0, most = 0] = [from, to].map(bytes)
  return textual((text) => {
    const value = bytes(text)
    return value !== undefined && value >= least && value <= most
      ? means(value)
      : invalid(`must be a size from ${from} to ${to}, such as 64kb`)
  })
}

/** A maximum number of attempts within a period, such as `10/15m`; `undefined` if the string is `off`. */
export const attemptLimit: Reader<AttemptLimit | undefined> = textual((text) => {
  if (text === 'off') return means(undefined)
  const [, number = '', span = ''] = /^([1-9]\d{0,5})\/(\S+)$/.exec(text) ?? []
  const [count, window] = [Number(number), milliseconds(span) ?? 0]
  const fits = count > 0 && window >= 1_000 && window <= 86_400_000
  return fits
    ? means({ count, window })
    : invalid('must be off, or a number of attempts within a period from 1s to 1d, such as 10/15m')
})

/** An integer between two inclusive bounds; as a string, it must be decimal, without a sign or leading zeros. */
export function integer(
  from: number,
  to: number,
  rule = integerFrom(from, to),
  mustBe: string = MUST_BE.number,
): Reader<number, number> {
  const check = (value: number | undefined): Reading<number> => {
    const fits = value !== undefined && Number.isInteger(value) && value >= from && value <= to
    // Adding 0 turns -0 into 0.
    return fits ? means(value + 0) : invalid(rule)
  }
  return {
    text: (text) => check(decimal(text)),
    option: (value) => (typeof value === 'number' ? check(value) : wrongType(mustBe)),
  }
}

/** An integer between two inclusive bounds, or `undefined` if the string is `off`. */
export function integerOrOff(from: number, to: number): Reader<number | undefined, number | 'off'> {
  return integerOrWord('off', undefined, from, to)
}

/** An integer between two inclusive bounds, or `auto`. */
export function integerOrAuto(from: number, to: number): Reader<number | 'auto', number | 'auto'> {
  return integerOrWord('auto', 'auto', from, to)
}

function integerOrWord<Word extends string, Meaning>(word: Word, meaning: Meaning, from: number, to: number) {
  const rule = `must be ${word}, or an integer from ${from} to ${to}`
  return orWord(word, meaning, integer(from, to, rule, `must be a number, or ${word}`))
}

function decimal(text: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined
}
