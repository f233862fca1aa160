import { foldedPassword } from './folded-password.js'

/** Shorter ones are in many words by chance. */
const WORD_MIN = 3
/** So many letters of its own a password has at least, whatever else is in it. */
const OWN_LETTERS = 4
/** Digits, punctuation and blanks: what people put around a word that they were told not to use. */
const DECORATION = /[\p{N}\p{P}\p{Z}\p{C}\p{Sc}\p{Sk}\p{Sm}]/gu

/** The words of a name, folded: itself and, of the name of a host, its labels but the last, which is everybody's. */
export function nameWords(name: string): readonly string[] {
  const folded = foldedPassword(name)
  const labels = folded.split('.').slice(0, -1)
  return longEnough([folded, ...labels.flatMap(letterRuns)])
}

/** The words of an email, folded: itself, its local part, and those of its domain. */
export function emailWords(email: string): readonly string[] {
  const folded = foldedPassword(email)
  const [local = '', host = ''] = folded.split('@')
  return longEnough([folded, local, ...letterRuns(local), ...nameWords(host)])
}

/**
 * Whether a folded password is little more than words that everybody knows of its owner or of the service: one of them is
 * in it, and without them, digits and punctuation fewer than four characters are left.
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
