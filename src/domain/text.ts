// The rules for text that people enter, such as names.
import { accepted, broken, type Parsed } from './parsed.js'

/** Matches most strings with a single cheap test. */
const PRINTABLE_ASCII = /^[ -~]*$/
const CONTROL_CHARACTER = /\p{Cc}/u
const LONE_SURROGATE = /\p{Cs}/u
const FORMAT_CHARACTER = /\p{Cf}/u

/** Counts Unicode code points, as JSON Schema does. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Returns whether the string is well-formed Unicode without control characters; every store keeps such strings unchanged. */
export function isPlainText(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || (!CONTROL_CHARACTER.test(text) && !LONE_SURROGATE.test(text))
}

/**
 * Returns whether the string has no format characters, such as zero-width characters or bidirectional marks, which make different strings
 * look equal.
 */
export function isFreeOfFormatting(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || !FORMAT_CHARACTER.test(text)
}

/** Requires plain text of 1 to `max` code points. */
export function plainText(text: string, max: number): Parsed<string> {
  if (text.length === 0 || text.length > 2 * max || characters(text) > max) {
    return broken('Length', `must have 1 to ${max} characters`)
  }
  return isPlainText(text) ? accepted(text) : broken('Format', 'must not contain control characters')
}
