import { accepted, broken, type Parsed } from '../parsed.js'
import { characters } from '../text.js'

/** NFKC-normalised, otherwise exactly as sent. Never logged, never stored. */
export type Password = string & { readonly brand: 'Password' }
/** In a format that the PasswordHasher recognises. */
export type PasswordHash = string & { readonly brand: 'PasswordHash' }

export const PASSWORD_MAX = 1024

/**
 * The password in the form in which it is compared. `undefined` if it can never verify: it contains U+0000 (scrypt pads
 * with zeros and would ignore it at the end), or is longer than every password that can be set.
 */
export function presentedPassword(text: string): Password | undefined {
  if (text.length > 4 * PASSWORD_MAX) return undefined
  const normal = text.normalize('NFKC')
  if (normal.includes('\u0000') || characters(normal) > PASSWORD_MAX) return undefined
  return normal as Password
}

/** A password to be set: `min` to 1024 characters, no U+0000, no rule of composition. */
export function newPassword(text: string, min: number): Parsed<Password> {
  const length = `must have ${min} to ${PASSWORD_MAX} characters`
  if (text.length > 4 * PASSWORD_MAX) return broken('Length', length)
  const normal = text.normalize('NFKC')
  const count = characters(normal)
  if (count < min || count > PASSWORD_MAX) return broken('Length', length)
  if (/\p{Cs}/u.test(normal)) return broken('Format', 'must be well-formed Unicode')
  return normal.includes('\u0000')
    ? broken('Format', 'must not contain U+0000')
    : accepted(normal as Password)
}
