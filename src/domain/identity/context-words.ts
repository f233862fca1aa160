import { foldedPassword } from './folded-password.js'

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
