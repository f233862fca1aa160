import { accepted, broken, type Parsed } from '../parsed.js'
import { isFreeOfFormatting, isPlainText } from '../text.js'

/**
 * Trimmed, NFKC, lower case, at most 254 characters, one `@` with something on both sides, no control
 * or format characters.
 */
export type Email = string & { readonly brand: 'Email' }

const EMAIL_MAX = 254
const SHAPE = /^[^\s@]+@[^\s@]+$/u

/** Normalises first, then judges, so that look-up and storage always mean the same text. */
export function email(text: string): Parsed<Email> {
  if (text.length > 4 * EMAIL_MAX) return broken('Format', 'email-not-valid')
  const normal = text.trim().normalize('NFKC').toLowerCase().trim()
  const fine =
    normal.length <= EMAIL_MAX && SHAPE.test(normal) && isPlainText(normal) && isFreeOfFormatting(normal)
  return fine ? accepted(normal as Email) : broken('Format', 'email-not-valid')
}
