import type { Instant } from '../instant.js'
import { plainText } from '../text.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import type { Role } from './role.js'

/** Names a key; opens nothing. */
export type ApiKeyId = number & { readonly brand: 'ApiKeyId' }
/** SHA-256 of an API key, base64url: all that a store ever holds of it. */
export type ApiKeyDigest = string & { readonly brand: 'ApiKeyDigest' }

/** An API key without the key. A revoked one stays in the list. */
export type ApiKey = {
  readonly id: ApiKeyId
  readonly name: string
  readonly roles: readonly Role[]
  readonly createdAt: Instant
  readonly revokedAt?: Instant
}

const API_KEY_NAME_MAX = 100

export function apiKeyName(text: string): Parsed<string> {
  return plainText(text.trim(), API_KEY_NAME_MAX)
}

/** A positive integer in plain decimal, as `apikey list` shows it. */
export function apiKeyId(text: string): Parsed<ApiKeyId> {
  const id = Number(text)
  const fine = /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(id)
  return fine
    ? accepted(id as ApiKeyId)
    : broken('Format', 'must be the id of an API key, a positive integer')
}
