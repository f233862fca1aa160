import type { Instant, Milliseconds } from '../instant.js'
import { plainText } from '../text.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import { positiveIntegerIn } from '../positive-integer.js'
import type { Role } from './role.js'

/** Identifies an API key; gives no access. */
export type ApiKeyId = number & { readonly brand: 'ApiKeyId' }
/** SHA-256 of an API key, base64url: all that a store ever holds of it. */
export type ApiKeyDigest = string & { readonly brand: 'ApiKeyDigest' }

/** An API key without its secret. Revoked and expired keys stay in the list. */
export type ApiKey = {
  readonly id: ApiKeyId
  readonly name: string
  readonly roles: readonly Role[]
  readonly createdAt: Instant
  readonly revokedAt?: Instant
  /** The key is invalid from this moment on; without it, it is valid until it is revoked. */
  readonly expiresAt?: Instant
  /** The beginning of the hour (UTC) of its last use; absent if it was never used. */
  readonly lastUsedAt?: Instant
}

const API_KEY_NAME_MAX = 100
const HOUR: Milliseconds = 3_600_000
/** Keys for a longer time are created without an expiry. */
const API_KEY_LIFE_MAX: Milliseconds = 3_653 * 24 * HOUR

export function apiKeyName(text: string): Parsed<string> {
  return plainText(text.trim(), API_KEY_NAME_MAX)
}

/** A whole number of milliseconds, later than now and at most ten years. */
export function apiKeyExpiry(at: Instant, now: Instant): Parsed<Instant> {
  const fine = Number.isSafeInteger(at) && at > now && at <= now + API_KEY_LIFE_MAX
  return fine ? accepted(at) : broken('NotValid', 'must be a moment from now to ten years ahead')
}

/** Whether the key has expired; does not judge its revocation. */
export function hasExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, at: Instant): boolean {
  return expiresAt !== undefined && at >= expiresAt
}

/** Whether requests with the key succeed: it is neither revoked nor expired. */
export function isInForce(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, at: Instant): boolean {
  return key.revokedAt === undefined && !hasExpired(key, at)
}

/** The beginning of the hour, which is the precision of the stored last use. */
export function hourOfUse(at: Instant): Instant {
  return Math.floor(at / HOUR) * HOUR
}

export function apiKeyId(text: string): Parsed<ApiKeyId> {
  const id = positiveIntegerIn(text)
  return id === undefined
    ? broken('Format', 'must be the id of an API key, a positive integer')
    : accepted(id as ApiKeyId)
}
