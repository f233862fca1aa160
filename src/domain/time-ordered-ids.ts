// Creates IDs that sort by creation time.
import type { Instant } from './instant.js'

/** Twelve hexadecimal digits, enough for milliseconds until the year 10889. */
const TIME_DIGITS = 12

/**
 * Returns the common prefix of all time-ordered IDs created at this moment. Compared by code unit, IDs created at this moment or later sort
 * after the prefix, and earlier IDs sort before it.
 */
export function timePrefix(at: Instant): string {
  return Math.max(0, Math.floor(at)).toString(16).padStart(TIME_DIGITS, '0')
}

/** Creates IDs that sort by time when compared by code unit. */
export type TimeOrderedIds = (at: Instant) => string

const COUNT_DIGITS = 4

type Random = { base64url(bytes: number): string }

/** An ID consists of the milliseconds, a counter within the millisecond, and 64 random bits that prevent collisions between processes. */
export function createTimeOrderedIds({ randomness }: { randomness: Random }): TimeOrderedIds {
  let last: Instant = -1
  let count = 0
  return (at) => {
    count = at === last ? count + 1 : 0
    last = at
    return `${timePrefix(at)}${count.toString(16).padStart(COUNT_DIGITS, '0')}${randomness.base64url(8)}`
  }
}
