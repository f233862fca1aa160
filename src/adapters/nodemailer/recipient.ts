import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * The characters of a local part that needs no quotes, and dots in any place: quotes around those
 * mean the same mailbox. Every other character separates, quotes or comments somewhere.
 */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.\u{80}-\u{10ffff}-]+$/iu

/** Some servers and readers decode these also inside an address, and then find another address. */
const ENCODED_WORD = '=?'

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * True for an address that means one mailbox wherever it is read: in an SMTP command, in a header,
 * by a server that parses carelessly. nodemailer would take `<` and `>` out, put quotes around
 * other characters, and send to what is left.
 */
export function isDeliverable(address: string): boolean {
  const at = address.indexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  return LOCAL_PART.test(local) && !local.includes(ENCODED_WORD) && isHostName(address.slice(at + 1))
}

/** A label in Punycode; where it is still one after decoding it means no name (Node 24 leaves it, Node 22 refuses the domain). */
const ENCODED_LABEL = /(?:^|\.)xn--/

/** Also true for an international name, where its ASCII form means this very name and no other. */
function isHostName(domain: string): boolean {
  const ascii = domainToASCII(domain)
  const decoded = domainToUnicode(ascii)
  if (!HOST_NAME.test(ascii) || ENCODED_LABEL.test(decoded)) return false
  return ascii === domain || decoded === domain
}
