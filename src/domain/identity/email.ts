import { accepted, broken, type Parsed } from '../parsed.js'
import { isFreeOfFormatting, isPlainText } from '../text.js'

/**
 * Trimmed, NFKC, lower case, at most 254 characters, one `@` with something on both sides, no control
 * or format characters.
 */
export type Email = string & { readonly brand: 'Email' }

/** The beginning of an email, in the form that emails have: 1 to 254 characters. */
export type EmailStart = string & { readonly brand: 'EmailStart' }

const EMAIL_MAX = 254
const SHAPE = /^[^\s@]+@[^\s@]+$/u
const START_SHAPE = /^[^\s@]+(?:@[^\s@]*)?$/u
const LAST_CODE_POINT = 0x10ffff
/** Between these two are the surrogates, which are no characters. */
const [BEFORE_SURROGATES, AFTER_SURROGATES] = [0xd7ff, 0xe000] as const

/** Normalises first, then judges, so that look-up and storage always mean the same text. */
export function email(text: string): Parsed<Email> {
  const normal = normalised(text, SHAPE)
  return normal !== undefined && isFreeOfFormatting(normal)
    ? accepted(normal as Email)
    : broken('Format', 'email-not-valid')
}

/**
 * The email behind which a list goes on: also one that no account can be given any more, such as those with format
 * characters, which version 0.1.0 took. A walk would else end at one.
 */
export function emailBefore(text: string): Parsed<Email> {
  const normal = normalised(text, SHAPE)
  return normal === undefined ? broken('Format', 'email-not-valid') : accepted(normal as Email)
}

/** Brought into the same form as emails are, so that capital letters make no difference. */
export function emailStart(text: string): Parsed<EmailStart> {
  const normal = normalised(text, START_SHAPE)
  return normal !== undefined && isFreeOfFormatting(normal)
    ? accepted(normal as EmailStart)
    : broken('Format', 'must be the beginning of an email')
}

/**
 * The emails that begin with this text, all where there is none, are those from `first` on and before `end`, if there is an
 * end, where texts are compared by code point, as databases compare the bytes of UTF-8.
 */
export function emailRange(start: EmailStart | undefined): { readonly first: string; readonly end?: string } {
  if (start === undefined) return { first: '' }
  const points = Array.from(start, (character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === LAST_CODE_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return { first: start }
  const next = last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1
  return { first: start, end: String.fromCodePoint(...points, next) }
}

function normalised(text: string, shape: RegExp): string | undefined {
  if (text.length > 4 * EMAIL_MAX) return undefined
  const normal = text.trim().normalize('NFKC').toLowerCase().trim()
  return normal.length <= EMAIL_MAX && shape.test(normal) && isPlainText(normal) ? normal : undefined
}
