import { accepted, broken, type Parsed, isFreeOfFormatting, isPlainText } from '../parsed.js'

/**
 * A valid email: at most 254 characters, one `@` with text on both sides, no control or format characters. `email`
 * returns the canonical form for comparisons; `enteredEmail` returns the form for display.
 */
export type Email = string & { readonly brand: 'Email' }

/** The beginning of a canonical email: 1 to 254 characters. */
export type EmailStart = string & { readonly brand: 'EmailStart' }

const EMAIL_MAX = 254
/** A longer string is rejected without being parsed. */
const LONGEST_TEXT = 4 * EMAIL_MAX
const SHAPE = /^[^\s@]+@[^\s@]+$/u
/** Matches common emails that are already canonical. Does not match `--`, so that A-labels such as `xn--…` are always checked. */
const USUAL = /^[a-z\d._+-]+@[a-z\d]+(?:[.-][a-z\d]+)*$/
const START_SHAPE = /^[^\s@]+(?:@[^\s@]*)?$/u
const LAST_CODE_POINT = 0x10ffff
/** The code points directly before and after the surrogates. */
const [BEFORE_SURROGATES, AFTER_SURROGATES] = [0xd7ff, 0xe000] as const

/**
 * Returns the canonical form, which is equal for all spellings of one mailbox. Local part: NFKC and full case folding, repeated until
 * nothing changes. Domain: A-labels by UTS 46, with one final dot removed. Idempotent.
 */
export function email(text: string): Parsed<Email> {
  const parsed = canonical(text)
  return parsed !== undefined && isFreeOfFormatting(parsed.entered)
    ? accepted(parsed.email)
    : broken('Format', 'email-not-valid')
}

/** Like `email`, but returns `undefined` for an invalid email. */
export function canonicalEmail(text: string): Email | undefined {
  const parsed = email(text)
  return parsed.ok ? parsed.value : undefined
}

/** Trims and normalizes (NFKC) a string that `email` accepts, for display and as a delivery address. */
export function enteredEmail(text: string): Email {
  return trimmed(text) as Email
}

/** Returns the canonical email, and also the entered form if it differs. */
export function withEnteredForm(
  email: Email,
  text: string,
): { readonly email: Email; readonly enteredEmail?: Email } {
  const entered = enteredEmail(text)
  return { email, ...(entered !== email && { enteredEmail: entered }) }
}

/** Returns the form in which releases up to 0.7.0 stored an email: NFKC and lower case. */
export function formerEmail(text: string): Email {
  return trimmed(text).toLowerCase().trim() as Email
}

/** Returns every form of an email under which messages may be queued, without duplicates. */
export function emailForms(text: Email): readonly Email[] {
  return [...new Set([text, mailAddress(text), formerEmail(text), canonicalEmail(text) ?? text])]
}

/** Returns the delivery address: the domain in A-labels, but the local part as entered, because its folded form may be another mailbox. */
export function mailAddress(entered: Email): Email {
  const [local = '', domain = ''] = entered.split('@')
  return `${local}@${domainOf(domain) ?? domain}` as Email
}

/**
 * Parses the email after which the next page of a list begins. Also accepts emails that only earlier releases accepted, such as emails with
 * format characters in version 0.1.0; otherwise, paging would stop at such an email.
 */
export function emailBefore(text: string): Parsed<Email> {
  const parsed = canonical(text)
  if (parsed !== undefined) return accepted(parsed.email)
  const former = formerEmail(text)
  return isEmail(former) ? accepted(former) : broken('Format', 'email-not-valid')
}

/**
 * Parses the beginning of a canonical email. The prefix may end anywhere in the local part or in an ASCII domain. A domain with non-ASCII
 * letters must end with a whole label, because the A-label of a partial label is different.
 */
export function emailStart(text: string): Parsed<EmailStart> {
  const normal = text.length > LONGEST_TEXT ? '' : trimmed(text)
  const [local = '', ...domain] = normal.split('@')
  const start = [
    canonicalLocalPart(local),
    ...domain.map((one) => canonicalDomain(one) ?? one.toLowerCase()),
  ].join('@')
  const isStart = start.length <= EMAIL_MAX && START_SHAPE.test(start) && isPlainText(start)
  return isStart && isFreeOfFormatting(normal)
    ? accepted(start as EmailStart)
    : broken('Format', 'must be the beginning of an email')
}

/**
 * Returns the range of emails that begin with `start`: from `first` (inclusive) to `end` (exclusive; no upper bound if absent). Compares by
 * code point, which gives the same order as comparing UTF-8 bytes, as databases do.
 */
export function emailRange(start: EmailStart | undefined): { readonly first: string; readonly end?: string } {
  if (start === undefined) return { first: '' }
  const points = Array.from(start, (character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === LAST_CODE_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return { first: start }
  const next = last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1
  return { first: start, end: String.fromCodePoint(...points, next) }
}

function canonical(text: string): { readonly entered: string; readonly email: Email } | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  if (text.length <= EMAIL_MAX && USUAL.test(text)) return { entered: text, email: text as Email }
  const entered = trimmed(text)
  if (!isEmail(entered)) return undefined
  const [local = '', domain = ''] = entered.split('@')
  const address = `${canonicalLocalPart(local)}@${domainOf(domain) ?? ''}`
  return isEmail(address) ? { entered, email: address as Email } : undefined
}

function trimmed(text: string): string {
  return text.normalize('NFKC').trim()
}

function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX && SHAPE.test(text) && isPlainText(text)
}

function domainOf(text: string): string | undefined {
  const domain = canonicalDomain(text)?.replace(/\.$/, '')
  return domain?.endsWith('.') ? undefined : domain
}

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
