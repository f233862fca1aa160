/**
 * Applies Unicode's full case folding (`CaseFolding.txt`, statuses C and F): converts upper case to lower case, except for Cherokee; the
 * dotless i stays unchanged. Folds each letter separately, so that rules that depend on the language or on the end of a word do not apply.
 */
export function foldCase(text: string): string {
  return Array.from(text, foldLetter).join('')
}

/** U+0131 (the dotless i) does not fold to "i". Cherokee folds to upper case, which is the older case in Cherokee. */
const DOTLESS_I = 'ı'
const CHEROKEE = /\p{Script=Cherokee}/u

function foldLetter(letter: string): string {
  if (letter === DOTLESS_I) return letter
  if (CHEROKEE.test(letter)) return letter.toUpperCase()
  return Array.from(letter.toLowerCase().toUpperCase(), (one) => one.toLowerCase()).join('')
}

const ASCII = /^\p{ASCII}*$/u

/** Applies NFKC and case folding until nothing changes. */
export function canonicalLocalPart(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const next = foldCase(text.normalize('NFKC')).normalize('NFKC')
  return next === text ? text : canonicalLocalPart(next)
}

const ENCODED_LABEL = /(?:^|\.)xn--/i
/** An A-label that encodes no letter; Node 22 accepts it, but Node 24 does not. */
const EMPTY_ENCODING = /(?:^|\.)xn--[^.]*-(?:\.|$)/i
const NOT_IN_HOST = /[\s%#/:<>?@[\\\]^|]/

/** Appended to a domain so that Node checks every label and does not read the domain as an IPv4 address. */
const GUARD = '.ü'
const GUARD_ENCODED = '.xn--tda'

/**
 * Converts a domain to A-labels according to UTS 46 (non-transitional, so that `ß` and `ss` differ). A plain ASCII domain or an address in
 * brackets is only converted to lower case. Returns `undefined` for an invalid internationalized name.
 */
export function canonicalDomain(text: string): string | undefined {
  // Before Unicode 15.1, UTS 46 mapped the capital sharp s to two letters, and Node 22 still does.
  const domain = text.replaceAll('。', '.').replaceAll('ẞ', 'ß')
  if (ASCII.test(domain) && !ENCODED_LABEL.test(domain)) return domain.toLowerCase()
  if (NOT_IN_HOST.test(domain) || EMPTY_ENCODING.test(domain)) return undefined
  try {
    // `URL.canParse` is not used, because its optimized form in Node 20 rejects short strings with letters such as ü.
    return new URL(`ws://${domain}${GUARD}`).hostname.slice(0, -GUARD_ENCODED.length)
  } catch {
    return undefined
  }
}
