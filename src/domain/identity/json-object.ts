/** An error that states why a token is invalid. The message is for the log and contains no part of the token. */
export class TokenError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TokenError'
  }
}

export function assert(condition: boolean, error: string): asserts condition {
  if (!condition) throw new TokenError(error)
}

/** A JSON object in a token; its members keep their order. */
export type JsonObject = Readonly<Record<string, unknown>>

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON only in the form that `JSON.stringify` writes, so that no member occurs twice and each object has exactly one textual form.
 * Otherwise throws a TokenError that mentions `part`.
 */
export function readJsonObject(bytes: Uint8Array, part: string): JsonObject {
  const { text, value } = parseJson(bytes, part)
  assert(isObject(value), `the ${part} is not an object`)
  assert(JSON.stringify(value) === text, `the ${part} is not canonical JSON`)
  return value
}

/** Throws a TokenError if a member is missing or unknown. */
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
    // The parser's own message is not used, because it quotes the input.
    throw new TokenError(`the ${part} is not JSON`)
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON inside JSON; returns an empty object if the value is not a string with a JSON object. */
export function jsonObjectIn(text: unknown): JsonObject {
  if (typeof text !== 'string') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
