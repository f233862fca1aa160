import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * A local part that means the same mailbox with and without quotes. Every other character separates, quotes or
 * comments in some program.
 */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.\u{80}-\u{10ffff}-]+$/iu

/** Some programs decode encoded words inside an address and find another address. */
const ENCODED_WORD = '=?'

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Whether the address means one mailbox in every SMTP command, header and careless parser. nodemailer removes
 * `<` and `>`, quotes other characters, and sends to the rest.
 */
export function isDeliverable(address: string): boolean {
  const at = address.indexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  return LOCAL_PART.test(local) && !local.includes(ENCODED_WORD) && isHostName(address.slice(at + 1))
}

/** A Punycode label that remains after decoding is no name: Node 24 leaves it, Node 22 refuses the domain. */
const ENCODED_LABEL = /(?:^|\.)xn--/

/** Accepts an international name if its ASCII form means only this name. */
function isHostName(domain: string): boolean {
  const ascii = domainToASCII(domain)
  const decoded = domainToUnicode(ascii)
  if (!HOST_NAME.test(ascii) || ENCODED_LABEL.test(decoded)) return false
  return ascii === domain || decoded === domain
}
