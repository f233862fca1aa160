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
  const rest = text.replaceAll(anyOf(namesIn(host)), ' ').replaceAll(commonWords(), ' ')
  return 2 * lettersAndDigits(rest) < lettersAndDigits(text)
}

let common: RegExp | undefined

/** Made when it is first needed: it takes some milliseconds, and most commands look at no passphrase. */
function commonWords(): RegExp {
  common ??= anyOf(COMMON_WORDS, String.raw`(?:19|20)\d\d`)
  return common
}

/** Of two words that begin at one place the longer counts. No words match nowhere. */
function anyOf(words: readonly string[], ...patterns: readonly string[]): RegExp {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return new RegExp([...longestFirst.map(patternOf), ...patterns].join('|') || '(?!)', 'giu')
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
