import { accepted, broken, type Parsed } from '../parsed.js'
import { characters } from '../text.js'

/** NFKC-normalised, otherwise exactly as sent. Never logged, never stored. */
export type Password = string & { readonly brand: 'Password' }
/** In a format that the PasswordHasher recognises. */
export type PasswordHash = string & { readonly brand: 'PasswordHash' }

/** Characters of the longest password. */
export const PASSWORD_MAX = 1024

/**
 * The password as it is compared. `undefined` where it can never verify: U+0000 (scrypt pads
 * with zeros, so it would be ignored at the end), or longer than any that can be set.
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
