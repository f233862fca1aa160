import type { MessageType } from './refusal.js'

/** The result of parsing a raw value: the branded value, or the rule that the value violates. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly type: MessageType; readonly rule: string }

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

/** `rule` completes the sentence "field: …" and contains no part of the value. */
export function broken(type: MessageType, rule: string): Parsed<never> {
  return { ok: false, type, rule }
}

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

/** Returns whether the value can be an ID: a positive integer that a JavaScript number can represent exactly. */
export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** Parses a positive integer in plain decimal form; returns `undefined` for any other string. */
export function positiveIntegerIn(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const value = Number(text)
  return isPositiveInteger(value) ? value : undefined
}
