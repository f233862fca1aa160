import type { Instant } from './instant.js'

/** Twelve hexadecimal digits of milliseconds reach to the year 10889. */
const TIME_DIGITS = 12

/**
 * The beginning of a time-ordered ID. IDs from this moment on sort after it, as text by code unit, and all earlier IDs
 * before it.
 */
export function timePrefix(at: Instant): string {
  return Math.max(0, Math.floor(at)).toString(16).padStart(TIME_DIGITS, '0')
}

/** Makes IDs that sort, as text by code unit, by the moment at which they were made. */
export type TimeOrderedIds = (at: Instant) => string

const COUNT_DIGITS = 4

/** Returns random bytes as base64url. */
type Random = { base64url(bytes: number): string }

/** Milliseconds, a counter within this millisecond, and 64 random bits, so that no two processes make the same ID. */
export function createTimeOrderedIds({ randomness }: { randomness: Random }): TimeOrderedIds {
  let last: Instant = -1
  let count = 0
  return (at) => {
    count = at === last ? count + 1 : 0
    last = at
    return `${timePrefix(at)}${count.toString(16).padStart(COUNT_DIGITS, '0')}${randomness.base64url(8)}`
  }
}
