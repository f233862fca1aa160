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
