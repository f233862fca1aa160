import type { Instant } from './instant.js'

/** Twelve hexadecimal digits of milliseconds reach to the year 10889. */
const TIME_DIGITS = 12

/**
 * What a time-ordered id begins with: ids that are made at that moment or later sort behind it, as
 * text by code unit, and all earlier ones before it.
 */
export function timePrefix(at: Instant): string {
  return Math.max(0, Math.floor(at)).toString(16).padStart(TIME_DIGITS, '0')
}
