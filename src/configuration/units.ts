import type { AttemptLimit } from '../ports/attempt-limiter.js'
import { breaks, means, type Reader, type Reading } from './setting.js'

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(?:0|(?<count>\d{1,9})(?<unit>ms|s|m|h|d))$/

const BYTES = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2 } as const
const SIZE = /^(?<count>\d{1,9})(?<unit>b|kb|mb|)$/i

/** Milliseconds of `500ms`, `30s`, `15m`, `12h`, `7d` or `0`; `undefined` for anything else. */
export function milliseconds(text: string): number | undefined {
  const groups = DURATION.exec(text)?.groups
  if (groups === undefined) return undefined
  return Number(groups['count'] ?? 0) * MILLISECONDS[(groups['unit'] ?? 'ms') as keyof typeof MILLISECONDS]
}

/** Bytes of `64kb`, `1mb`, `512b` or `512`; a kB has 1024. `undefined` for anything else. */
export function bytes(text: string): number | undefined {
  const groups = SIZE.exec(text)?.groups
  if (groups === undefined) return undefined
  return Number(groups['count']) * BYTES[(groups['unit'] ?? '').toLowerCase() as keyof typeof BYTES]
}

/** Milliseconds, bounds included. */
export function duration(from: string, to: string): Reader<number> {
  return bounded(milliseconds, from, to, `must be a duration from ${from} to ${to}, such as 500ms, 30s, 15m`)
}

/** A duration in whole seconds, since tokens tell time in seconds. */
export function wholeSeconds(from: string, to: string): Reader<number> {
  const rule = `must be a duration from ${from} to ${to} in whole seconds, such as 30s, 15m, 7d`
  const read = bounded(milliseconds, from, to, rule)
  return (text) => {
    const reading = read(text)
    return reading.ok && reading.value % 1_000 !== 0 ? breaks(rule) : reading
  }
}

/** Bytes, bounds included. */
export function size(from: string, to: string): Reader<number> {
  return bounded(bytes, from, to, `must be a size from ${from} to ${to}, such as 64kb`)
}

/** So many in so much time, such as `10/15m`; `undefined` for `off`. */
export const attemptLimit: Reader<AttemptLimit | undefined> = (text) => {
  if (text === 'off') return means(undefined)
  const [, number = '', time = ''] = /^([1-9]\d{0,5})\/(\S+)$/.exec(text) ?? []
  const [count, window] = [Number(number), milliseconds(time) ?? 0]
  const fits = count > 0 && window >= 1_000 && window <= 86_400_000
  return fits
    ? means({ count, window })
    : breaks('must be off, or a number of attempts in a time from 1s to 1d, such as 10/15m')
}

/** A decimal integer without sign or leading zero, bounds included. */
export function integer(from: number, to: number): Reader<number> {
  const decimal = (text: string) => (/^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined)
  return bounded(decimal, String(from), String(to), `must be an integer from ${from} to ${to}`)
}

/** A port to listen on, 0 for any that is free; `undefined` for `off`. */
export const portOrOff: Reader<number | undefined> = (text) => {
  if (text === 'off') return means(undefined)
  const reading = integer(0, 65_535)(text)
  return reading.ok ? reading : breaks('must be off, or an integer from 0 to 65535')
}

function bounded(
  measure: (text: string) => number | undefined,
  from: string,
  to: string,
  rule: string,
): Reader<number> {
  const [least, most] = [measure(from) ?? Number.NaN, measure(to) ?? Number.NaN]
  return (text): Reading<number> => {
    const value = measure(text)
    return value !== undefined && value >= least && value <= most ? means(value) : breaks(rule)
  }
}
