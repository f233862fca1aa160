/** A moment in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** A duration in milliseconds. */
export type Milliseconds = number

/** Matches the member names whose values are instants. */
const INSTANT_NAME = /^(?:at|since|until|\w+At|activeSince)$/

export function withIsoTimes(row: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    INSTANT_NAME.test(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

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
