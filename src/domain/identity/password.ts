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

/** Invisible characters, such as a soft hyphen or a zero-width space. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * A password in the form in which password lists compare it: without case, width and invisible characters. Close to
 * NFKC_Casefold of Unicode, which JavaScript lacks: upper case first, because only this makes `ss` of `ß`.
 */
export function foldedPassword(text: string): string {
  const seen = text.normalize('NFKC').replace(IGNORABLE, '')
  return seen.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}

/** Shorter words occur in many words by chance. */
const WORD_MIN = 3
/** A password must have at least this many letters besides context words. */
const OWN_LETTERS = 4
/** Digits, punctuation and blanks: decoration with which users disguise a forbidden word. */
const DECORATION = /[\p{N}\p{P}\p{Z}\p{C}\p{Sc}\p{Sk}\p{Sm}]/gu

/** The folded words of a name: the name itself and, for a host name, its labels except the last, which is too common. */
export function nameWords(name: string): readonly string[] {
  const folded = foldedPassword(name)
  const labels = folded.split('.').slice(0, -1)
  return longEnough([folded, ...labels.flatMap(letterRuns)])
}

/** The folded words of an email: the email, its local part, and the words of its domain. */
export function emailWords(email: string): readonly string[] {
  const folded = foldedPassword(email)
  const [local = '', host = ''] = folded.split('@')
  return longEnough([folded, local, ...letterRuns(local), ...nameWords(host)])
}

/**
 * Whether a folded password is little more than publicly known words of its owner or the service: it contains such a
 * word, and fewer than four characters are left without these words, digits and punctuation.
 */
export function isMostlyContext(folded: string, words: readonly string[]): boolean {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), folded)
  return rest !== folded && Array.from(rest.replace(DECORATION, '')).length < OWN_LETTERS
}

function letterRuns(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}]+/gu) ?? []
}

function longEnough(words: readonly string[]): readonly string[] {
  return [...new Set(words)].filter((word) => Array.from(word).length >= WORD_MIN)
}
