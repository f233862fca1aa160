import type { Instant } from '../domain/instant.js'
import { timePrefix } from '../domain/time-ordered-id.js'
import type { Randomness } from '../ports/randomness.js'

/** Ids that sort, as text by code unit, by the moment at which they were made. */
export type TimeOrderedIds = (at: Instant) => string

const COUNT_DIGITS = 4

/** Milliseconds, a counter within this millisecond, and 64 random bits, so that no two processes make the same ID. */
export function createTimeOrderedIds({ randomness }: { randomness: Randomness }): TimeOrderedIds {
  let last: Instant = -1
  let count = 0
  return (at) => {
    count = at === last ? count + 1 : 0
    last = at
    return `${timePrefix(at)}${count.toString(16).padStart(COUNT_DIGITS, '0')}${randomness.base64url(8)}`
  }
}
