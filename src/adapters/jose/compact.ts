import { readJsonObject, type JsonObject } from '../../domain/identity/json-object.js'
import { assert } from '../../domain/identity/token-error.js'

/**
 * The header part of a compact JWS whose three parts are canonical base64url: no padding, no other
 * alphabet, no spare bits set. jose is lenient there, and then a token with another last character
 * would verify too, which breaks whatever takes the text for the token's name.
 */
export function headerPart(token: string): string {
  const parts = token.split('.', 4)
  assert(parts.length === 3, 'the token has not three parts')
  assert(parts.every(isCanonical), 'a part of the token is not canonical base64url')
  return parts[0] ?? ''
}

export function readHeader(part: string): JsonObject {
  return readJsonObject(Buffer.from(part, 'base64url'), 'header')
}

/** Whatever Node skips when it decodes is missing when it encodes again. */
function isCanonical(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
}
