import { COMMON_WORDS } from './common-words.js'

/** Maximum block length in characters; people do not repeat longer blocks. */
const BLOCK_MAX = 16

const SUBSTITUTES: Readonly<Record<string, string>> = {
  a: 'a4@',
  b: 'b8',
  e: 'e3',
  g: 'g9',
  i: 'i1!|',
  l: 'l1|!',
  o: 'o0',
  s: 's5$',
  t: 't7+',
  z: 'z2',
}

/** Returns whether the text is one repeated block of up to 16 characters, ignoring case; the last block may be incomplete. */
export function isOneBlockRepeated(text: string): boolean {
  const all = Array.from(text.toLowerCase())
  const maxLength = Math.min(BLOCK_MAX, Math.floor(all.length / 2))
  const lengths = Array.from({ length: maxLength }, (_, index) => index + 1)
  return lengths.some((length) => all.every((one, at) => at < length || one === all[at - length]))
}

/** Returns whether more than half of the letters and digits are common words, years or parts of the host name, even if disguised. */
export function isMostlyWords(text: string, host: string): boolean {
  const rest = withoutCommonWords(text.replaceAll(anyOf(namesIn(host)), ' '))
  return 2 * lettersAndDigits(rest) < lettersAndDigits(text)
}

const YEAR = /(?:19|20)\d\d/y

/** Replaces each common word or year with a blank, preferring the longest word at a position. */
export function withoutCommonWords(text: string): string {
  // Also folds U+017F and U+212A, the two non-ASCII characters that case-fold to ASCII letters. Preserves the length.
  const folded = text.replace(/[A-Z\u017f\u212a]/g, (one) => (one === '\u017f' ? 's' : one.toLowerCase()))
  let rest = ''
  let at = 0
  while (at < text.length) {
    const length = commonWordAt(folded, at)
    rest += length === 0 ? text.charAt(at) : ' '
    at += Math.max(length, 1)
  }
  return rest
}

/** Returns the length of the common word or year at this position, or 0. */
function commonWordAt(folded: string, at: number): number {
  const word = wordsStartingWith(folded.charAt(at)).find((one) => isWordAt(one, folded, at))
  if (word !== undefined) return word.length
  YEAR.lastIndex = at
  return YEAR.test(folded) ? 4 : 0
}

function isWordAt(word: string, folded: string, at: number): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const [letter, written] = [word.charAt(index), folded.charAt(at + index)]
    if (letter !== written && !(written !== '' && SUBSTITUTES[letter]?.includes(written))) return false
  }
  return true
}

let wordsByFirstCharacter: Map<string, string[]> | undefined

/**
 * Returns the words that start with the character, longest first. The words are grouped by first character on first use, because compiling
 * one pattern of all 1,200 words would delay each start by up to 50 ms.
 */
function wordsStartingWith(character: string): readonly string[] {
  wordsByFirstCharacter ??= groupByFirstCharacter()
  return wordsByFirstCharacter.get(character) ?? []
}

function groupByFirstCharacter(): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const word of COMMON_WORDS.toSorted((one, other) => other.length - one.length)) {
    for (const beginning of SUBSTITUTES[word.charAt(0)] ?? word.charAt(0)) {
      const group = groups.get(beginning)
      if (group) group.push(word)
      else groups.set(beginning, [word])
    }
  }
  return groups
}

/** Returns a pattern that matches any of the words; if the list is empty, the pattern matches nothing. */
function anyOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return new RegExp(longestFirst.map(patternOf).join('|') || '(?!)', 'giu')
}

function namesIn(host: string): string[] {
  const labels = host.toLowerCase().split('.').slice(0, -1)
  const names = labels.flatMap((label) => label.split(/[^\p{L}\p{N}]+/u))
  return names.filter((name) => name.length >= 3 && /\p{L}/u.test(name))
}

function patternOf(word: string): string {
  return Array.from(word, (one) => `[${SUBSTITUTES[one] ?? one}]`).join('')
}

function lettersAndDigits(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
