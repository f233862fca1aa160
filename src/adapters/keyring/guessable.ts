import { COMMON_WORDS } from './common-words.js'

/** Longer blocks are not looked for: a person does not repeat them by heart. */
const BLOCK_MAX = 16

/** What people write in the place of letters. */
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

/** True for a text that is a block of up to 16 characters again and again, in any case; the last may be cut off. */
export function isOneBlockRepeated(text: string): boolean {
  const all = Array.from(text.toLowerCase())
  const maxDuration = Math.min(BLOCK_MAX, Math.floor(all.length / 2))
  const lengths = Array.from({ length: maxDuration }, (_, index) => index + 1)
  return lengths.some((length) => all.every((one, at) => at < length || one === all[at - length]))
}

/**
 * True where more than half of the letters and digits are common words, years, or parts of the site's host
 * name, in any case and with the usual digits and symbols in the place of letters.
 */
export function isMostlyWords(text: string, host: string): boolean {
  const rest = withoutCommonWords(text.replaceAll(anyOf(namesIn(host)), ' '))
  return 2 * lettersAndDigits(rest) < lettersAndDigits(text)
}

const YEAR = /(?:19|20)\d\d/y

/** The text with a blank for each common word; of two that begin at one place the longer counts, and then a year. */
export function withoutCommonWords(text: string): string {
  // What Unicode takes for a letter of ASCII in another case, and no more: as long as the text itself.
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

/** How long the common word or year is that begins there; 0 where none does. */
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

/**
 * The longest first. Grouped when they are first needed: one pattern of all 1,200 words takes up to 50 ms until it can be
 * used, at each start.
 */
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

/** Of two words that begin at one place the longer counts. No words match nowhere. */
function anyOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return new RegExp(longestFirst.map(patternOf).join('|') || '(?!)', 'giu')
}

/** The names in a host name, without its last label: that is everybody's. */
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
