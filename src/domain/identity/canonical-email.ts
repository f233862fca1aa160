/**
 * Makes letters equal that differ in case: full case folding of Unicode (`CaseFolding.txt`, statuses C and F), which is
 * lower case of upper case, except for the dotless i and Cherokee. Folds each letter alone, so that no rule of a language
 * or of the end of a word applies.
 */
export function foldCase(text: string): string {
  return Array.from(text, foldLetter).join('')
}

/** U+0131 is no form of "i". Cherokee folds to upper case, its older case. */
const DOTLESS_I = 'ı'
const CHEROKEE = /\p{Script=Cherokee}/u

function foldLetter(letter: string): string {
  if (letter === DOTLESS_I) return letter
  if (CHEROKEE.test(letter)) return letter.toUpperCase()
  return Array.from(letter.toLowerCase().toUpperCase(), (one) => one.toLowerCase()).join('')
}

const ASCII = /^\p{ASCII}*$/u

/** The canonical local part: NFKC, case folding, and both again until nothing changes. */
export function canonicalLocalPart(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const next = foldCase(text.normalize('NFKC')).normalize('NFKC')
  return next === text ? text : canonicalLocalPart(next)
}

const ENCODED_LABEL = /(?:^|\.)xn--/i
/** An encoded label that encodes no letter. Node 22 accepts it, Node 24 does not. */
const EMPTY_ENCODING = /(?:^|\.)xn--[^.]*-(?:\.|$)/i
const NO_HOST = /[\s%#/:<>?@[\\\]^|]/

/** Appended so that Node checks every label and reads no domain as an IPv4 address. */
const GUARD = '.ü'
const GUARD_ENCODED = '.xn--tda'

/**
 * The canonical domain: A-labels by UTS 46, non-transitional, so that `ß` and `ss` differ. A plain ASCII domain, also an
 * address in brackets, is only put in lower case. `undefined` if the domain is no valid international name.
 */
export function canonicalDomain(text: string): string | undefined {
  // Before Unicode 15.1 UTS 46 read the capital sharp s as two letters, and Node 22 still does.
  const domain = text.replaceAll('。', '.').replaceAll('ẞ', 'ß')
  if (ASCII.test(domain) && !ENCODED_LABEL.test(domain)) return domain.toLowerCase()
  if (NO_HOST.test(domain) || EMPTY_ENCODING.test(domain)) return undefined
  try {
    // Not `URL.canParse`: optimised by Node 20 it rejects short texts with letters such as ü.
    return new URL(`ws://${domain}${GUARD}`).hostname.slice(0, -GUARD_ENCODED.length)
  } catch {
    return undefined
  }
}
