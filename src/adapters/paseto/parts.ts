import { assert } from '../../domain/identity/token-error.js'

const HEADER = ['v4', 'public'] as const
const FORM = 'the token is not a PASETO'

/** Body and footer of a v4.public token, unverified; an absent footer is empty. Throws a TokenError. */
export function partsOf(token: string): { readonly body: Buffer; readonly footer: string } {
  const [version, purpose, body = '', footer, more] = token.split('.', 5)
  assert(version === HEADER[0] && purpose === HEADER[1] && more === undefined, FORM)
  if (footer !== undefined) bytesOf(footer)
  return { body: bytesOf(body), footer: footer ?? '' }
}

/** Canonical base64url of at least a byte: no padding, no other alphabet, no spare bits set. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  assert(bytes.length > 0 && bytes.toString('base64url') === text, FORM)
  return bytes
}
