import { COMMON_WORDS } from './common-words.js'

/** People do not repeat longer blocks. */
const BLOCK_MAX = 16

/** Digits and symbols that replace letters. */
const STAND_INS: Readonly<Record<string, string>> = {
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

/** Whether the text repeats one block of up to 16 characters, in any case; the last block may be cut off. */
export function isOneBlockRepeated(text: string): boolean {
  const all = Array.from(text.toLowerCase())
  const maxDuration = Math.min(BLOCK_MAX, Math.floor(all.length / 2))
  const lengths = Array.from({ length: maxDuration }, (_, index) => index + 1)
  return lengths.some((length) => all.every((one, at) => at < length || one === all[at - length]))
}

/**
 * Whether more than half of the letters and digits are common words, years, or parts of the host name, in any
 * case and with the usual stand-ins for letters.
 */
export function isMostlyWords(text: string, host: string): boolean {
  const rest = withoutCommonWords(text.replaceAll(anyOf(namesIn(host)), ' '))
  return 2 * lettersAndDigits(rest) < lettersAndDigits(text)
}

const YEAR = /(?:19|20)\d\d/y

/** Replaces each common word or year by a blank. If several words begin at one position, the longest counts. */
export function withoutCommonWords(text: string): string {
  // Also folds the two non-ASCII characters that Unicode folds to ASCII letters, and keeps the length.
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

/** The length of the common word or year at this position, or 0. */
function commonWordAt(folded: string, at: number): number {
  const word = wordsBeginningWith(folded.charAt(at)).find((one) => isWritten(one, folded, at))
  if (word !== undefined) return word.length
  YEAR.lastIndex = at
  return YEAR.test(folded) ? 4 : 0
}

function isWritten(word: string, folded: string, at: number): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const [letter, written] = [word.charAt(index), folded.charAt(at + index)]
    if (letter !== written && !(written !== '' && STAND_INS[letter]?.includes(written))) return false
  }
  return true
}

let byBeginning: Map<string, string[]> | undefined

/** The longest first. Grouped on first use: one pattern of all 1,200 words takes up to 50 ms at each start. */
function wordsBeginningWith(character: string): readonly string[] {
  byBeginning ??= groupedByBeginning()
  return byBeginning.get(character) ?? []
}

function groupedByBeginning(): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const word of COMMON_WORDS.toSorted((one, other) => other.length - one.length)) {
    for (const beginning of STAND_INS[word.charAt(0)] ?? word.charAt(0)) {
      const group = groups.get(beginning)
      if (group) group.push(word)
      else groups.set(beginning, [word])
    }
  }
  return groups
}

/** Without words the pattern matches nothing. */
function anyOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return new RegExp(longestFirst.map(patternOf).join('|') || '(?!)', 'giu')
}

/** The names in a host name, without the top-level domain. */
function namesIn(host: string): string[] {
  const labels = host.toLowerCase().split('.').slice(0, -1)
  const names = labels.flatMap((label) => label.split(/[^\p{L}\p{N}]+/u))
  return names.filter((name) => name.length >= 3 && /\p{L}/u.test(name))
}

function patternOf(word: string): string {
  return Array.from(word, (one) => `[${STAND_INS[one] ?? one}]`).join('')
}

function lettersAndDigits(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
