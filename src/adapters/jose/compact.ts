import { demand, TokenFault } from './token-fault.js'

/** The longest token that is looked at, in characters. */
export const TOKEN_MAX = 8192

export type Members = Readonly<Record<string, unknown>>

const ALPHABET = /^[A-Za-z0-9_-]+$/u
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The header of a compact JWS whose three parts are canonical base64url: no padding, no other
 * alphabet, no spare bits set. jose is lenient there, and then a token with another last
 * character would verify too, which breaks whatever takes the text for the token's name.
 */
export function readHeader(token: string): Members {
  demand(token.length <= TOKEN_MAX, 'the token is too long')
  const parts = token.split('.', 4)
  demand(parts.length === 3, 'the token has not three parts')
  demand(parts.every(isCanonical), 'a part of the token is not canonical base64url')
  return readMembers(Buffer.from(parts[0] ?? '', 'base64url'), 'header')
}

/**
 * The object that these bytes are as JSON, which must be written as `JSON.stringify` writes it:
 * so no member occurs twice and no two texts mean the same.
 */
export function readMembers(bytes: Uint8Array, part: 'header' | 'payload'): Members {
  const { text, value } = parseJson(bytes, part)
  demand(isObject(value), `the ${part} is not an object`)
  demand(JSON.stringify(value) === text, `the ${part} is not canonical JSON`)
  return value
}

/** Throws where a member is missing or one too many. */
export function demandMembers(members: Members, names: readonly string[], part: string): void {
  for (const name of names) demand(Object.hasOwn(members, name), `the ${part} lacks "${name}"`)
  demand(Object.keys(members).length === names.length, `the ${part} has an unknown member`)
}

function isCanonical(part: string): boolean {
  return ALPHABET.test(part) && Buffer.from(part, 'base64url').toString('base64url') === part
}

function parseJson(bytes: Uint8Array, part: string): { text: string; value: unknown } {
  try {
    const text = UTF_8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return { text, value }
  } catch {
    // The parser's own message quotes its input.
    throw new TokenFault(`the ${part} is not JSON`)
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
