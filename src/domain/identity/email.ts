import { accepted, broken, type Parsed } from '../parsed.js'
import { isFreeOfFormatting, isPlainText } from '../text.js'
import { canonicalDomain, canonicalLocalPart } from './canonical-email.js'

/**
 * An email that the parser accepted: at most 254 characters, one `@` with text on both sides, no control or format
 * characters. `email` makes the canonical form, in which emails are compared; `enteredEmail` the form that is shown.
 */
export type Email = string & { readonly brand: 'Email' }

/** The beginning of a canonical email: 1 to 254 characters. */
export type EmailStart = string & { readonly brand: 'EmailStart' }

const EMAIL_MAX = 254
/** A longer text is refused without reading it. */
const LONGEST_TEXT = 4 * EMAIL_MAX
const SHAPE = /^[^\s@]+@[^\s@]+$/u
/** Usual emails, which are their own canonical form; `--` may begin an A-label, which is checked. */
const USUAL = /^[a-z\d._+-]+@[a-z\d]+(?:[.-][a-z\d]+)*$/
const START_SHAPE = /^[^\s@]+(?:@[^\s@]*)?$/u
const LAST_CODE_POINT = 0x10ffff
/** Between these two are the surrogates, which are no characters. */
const [BEFORE_SURROGATES, AFTER_SURROGATES] = [0xd7ff, 0xe000] as const

/**
 * The canonical form, the same for all spellings of one mailbox. Local part: NFKC and full case folding until stable.
 * Domain: A-labels by UTS 46, without one final dot. Idempotent.
 */
export function email(text: string): Parsed<Email> {
  const parsed = canonical(text)
  return parsed !== undefined && isFreeOfFormatting(parsed.entered)
    ? accepted(parsed.email)
    : broken('Format', 'email-not-valid')
}

/** The canonical form alone; `undefined` if the text is no valid email. */
export function canonicalEmail(text: string): Email | undefined {
  const parsed = email(text)
  return parsed.ok ? parsed.value : undefined
}

/**
 * A text that `email` accepts, as it was entered: only trimmed and in NFKC. It is shown, and its local part is used in
 * mails.
 */
export function enteredEmail(text: string): Email {
  return trimmed(text) as Email
}

/** The form in which releases up to 0.7.0 stored a text that `email` accepts: NFKC and in lower case. */
export function formerEmail(text: string): Email {
  return trimmed(text).toLowerCase().trim() as Email
}

/** Every form of the email to which queued mails of its account may be addressed, each once. */
export function emailForms(text: Email): readonly Email[] {
  return [...new Set([text, formerEmail(text), canonicalEmail(text) ?? text])]
}

/**
 * The address for mails: the local part as it was entered, since case folding may name another mailbox; the domain in
 * A-labels.
 */
export function mailAddress(entered: Email): Email {
  const [local = '', domain = ''] = entered.split('@')
  return `${local}@${domainOf(domain) ?? domain}` as Email
}

/**
 * The email after which a list continues. Accepts also emails that only earlier releases accepted, such as emails with
 * format characters in version 0.1.0: otherwise paging would stop there.
 */
export function emailBefore(text: string): Parsed<Email> {
  const parsed = canonical(text)
  if (parsed !== undefined) return accepted(parsed.email)
  const former = formerEmail(text)
  return isEmail(former) ? accepted(former) : broken('Format', 'email-not-valid')
}

/**
 * The beginning of canonical emails. The local part may end anywhere, and so may an ASCII domain; a domain with other
 * letters is read as whole labels, since its beginning has another A-label.
 */
export function emailStart(text: string): Parsed<EmailStart> {
  const normal = text.length > LONGEST_TEXT ? '' : trimmed(text)
  const [local = '', ...domain] = normal.split('@')
  const start = [canonicalLocalPart(local), ...domain.map(startOfDomain)].join('@')
  const isStart = start.length <= EMAIL_MAX && START_SHAPE.test(start) && isPlainText(start)
  return isStart && isFreeOfFormatting(normal)
    ? accepted(start as EmailStart)
    : broken('Format', 'must be the beginning of an email')
}

/**
 * The range of emails that begin with this text (without a text, all emails): from `first` on and, if there is an `end`,
 * before `end`. Texts are compared by code point, as databases compare the bytes of UTF-8.
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

/** Both forms of a text; `undefined` if it is no email or its domain is no name. */
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

/** Without one final dot; a domain cannot end with two. */
function domainOf(text: string): string | undefined {
  const domain = canonicalDomain(text)?.replace(/\.$/, '')
  return domain?.endsWith('.') ? undefined : domain
}

function startOfDomain(text: string): string {
  return canonicalDomain(text) ?? text.toLowerCase()
}
