import { assert, TokenError } from './token-error.js'

/** The members of a JSON object in a token, in the order in which they were written. */
export type JsonObject = Readonly<Record<string, unknown>>

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The object that these bytes are as JSON, which must be written as `JSON.stringify` writes it:
 * so no member occurs twice and no two texts mean the same. Throws a TokenError; `part` names
 * the bytes in it.
 */
export function readJsonObject(bytes: Uint8Array, part: string): JsonObject {
  const { text, value } = parseJson(bytes, part)
  assert(isObject(value), `the ${part} is not an object`)
  assert(JSON.stringify(value) === text, `the ${part} is not canonical JSON`)
  return value
}

/** Throws where a member is missing or one too many. */
export function assertMembers(members: JsonObject, names: readonly string[], part: string): void {
  for (const name of names) assert(Object.hasOwn(members, name), `the ${part} lacks "${name}"`)
  assert(Object.keys(members).length === names.length, `the ${part} has an unknown member`)
}

function parseJson(bytes: Uint8Array, part: string): { text: string; value: unknown } {
  try {
    const text = UTF_8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return { text, value }
  } catch {
    // The parser's own message quotes its input.
    throw new TokenError(`the ${part} is not JSON`)
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
