import { accepted, broken, type Parsed, characters } from '../parsed.js'

/** A password that is NFKC-normalized and otherwise exactly as sent. Never logged, never stored. */
export type Password = string & { readonly brand: 'Password' }
/** A password hash in a format that the PasswordHasher supports. */
export type PasswordHash = string & { readonly brand: 'PasswordHash' }

export const PASSWORD_MAX = 1024

/**
 * Normalizes a password for verification. Returns `undefined` if verification cannot succeed: the string contains U+0000, or is longer than
 * any password that can be set. scrypt pads with zeros, so it would ignore U+0000 at the end.
 */
export function presentedPassword(text: string): Password | undefined {
  if (text.length > 4 * PASSWORD_MAX) return undefined
  const normal = text.normalize('NFKC')
  if (normal.includes('\u0000') || characters(normal) > PASSWORD_MAX) return undefined
  return normal as Password
}

/** Checks a new password: `min` to 1024 characters, no U+0000, no composition rules. */
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

/** Invisible characters, such as a soft hyphen or a zero-width space. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Returns the form of a password for comparison with password lists: case, width and invisible characters are ignored. Resembles Unicode's
 * NFKC_Casefold, which JavaScript lacks. Converts to upper case first, because only this conversion turns `ß` into `ss`.
 */
export function foldedPassword(text: string): string {
  const seen = text.normalize('NFKC').replace(IGNORABLE, '')
  return seen.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}

/** Words below this length are ignored, because they occur in many passwords by chance. */
const WORD_MIN = 3
/** A password with context words must contain at least this many other letters. */
const OTHER_LETTERS_MIN = 4
/** Digits, punctuation and spaces, which users insert to disguise forbidden words. */
const DECORATION = /[\p{N}\p{P}\p{Z}\p{C}\p{Sc}\p{Sk}\p{Sm}]/gu

/** Returns the folded words of a name: the name and, for a host name, its labels except the last. */
export function nameWords(name: string): readonly string[] {
  const folded = foldedPassword(name)
  const labels = folded.split('.').slice(0, -1)
  return longEnough([folded, ...labels.flatMap(letterRuns)])
}

/** Returns the folded words of an email: the email, its local part, and the words of its domain. */
export function emailWords(email: string): readonly string[] {
  const folded = foldedPassword(email)
  const [local = '', host = ''] = folded.split('@')
  return longEnough([folded, local, ...letterRuns(local), ...nameWords(host)])
}

/** Returns `true` if a folded password contains a word related to its owner or to the service, and has fewer than four other letters. */
export function isMostlyContext(folded: string, words: readonly string[]): boolean {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), folded)
  return rest !== folded && Array.from(rest.replace(DECORATION, '')).length < OTHER_LETTERS_MIN
}

function letterRuns(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}]+/gu) ?? []
}

function longEnough(words: readonly string[]): readonly string[] {
  return [...new Set(words)].filter((word) => Array.from(word).length >= WORD_MIN)
}
