import { accepted, broken, type Parsed } from './parsed.js'

/** Usual text, which needs one cheap test. */
const PRINTABLE_ASCII = /^[ -~]*$/
const CONTROL_CHARACTER = /\p{Cc}/u
const LONE_SURROGATE = /\p{Cs}/u
const FORMAT_CHARACTER = /\p{Cf}/u

/** Length in Unicode code points, as JSON Schema counts it. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Whether every store keeps the text unchanged: well-formed Unicode without control characters. */
export function isPlainText(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || (!CONTROL_CHARACTER.test(text) && !LONE_SURROGATE.test(text))
}

/**
 * Whether readers can see every difference between such texts, and their order: no zero-width characters, bidirectional
 * marks or other format characters.
 */
export function isFreeOfFormatting(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || !FORMAT_CHARACTER.test(text)
}

/** The rule for plain text of bounded length. `max` counts code points. */
export function plainText(text: string, max: number): Parsed<string> {
  if (text.length === 0 || text.length > 2 * max || characters(text) > max) {
    return broken('Length', `must have 1 to ${max} characters`)
  }
  return isPlainText(text) ? accepted(text) : broken('Format', 'must not contain control characters')
}
