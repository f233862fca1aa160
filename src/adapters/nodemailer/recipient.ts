// Decides whether an address can be delivered to safely; both mailers check it.
import { domainToASCII, domainToUnicode } from 'node:url'

/** Matches local parts that refer to the same mailbox with and without quotes; some programs misread local parts with other characters. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.\u{80}-\u{10ffff}-]+$/iu

/** The start of an encoded word. Some programs decode encoded words in an address, and then use a different address. */
const ENCODED_WORD = '=?'

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns whether the address refers to the same mailbox in every SMTP command, in every header and for lenient parsers. nodemailer would
 * remove `<` and `>`, quote other characters, and send the email anyway.
 */
export function isDeliverable(address: string): boolean {
  const at = address.indexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  return LOCAL_PART.test(local) && !local.includes(ENCODED_WORD) && isHostName(address.slice(at + 1))
}

/** A label that is still Punycode after decoding is invalid. Node 22 rejects the whole domain; Node 24 keeps the invalid label. */
const ENCODED_LABEL = /(?:^|\.)xn--/

/** Accepts an internationalized domain name only if its ASCII form decodes to the same name. */
function isHostName(domain: string): boolean {
  const ascii = domainToASCII(domain)
  const decoded = domainToUnicode(ascii)
  if (!HOST_NAME.test(ascii) || ENCODED_LABEL.test(decoded)) return false
  return ascii === domain || decoded === domain
}
