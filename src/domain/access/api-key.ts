import type { Instant, Milliseconds } from '../instant.js'
import { plainText } from '../text.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import type { Role } from './role.js'

/** Names a key; opens nothing. */
export type ApiKeyId = number & { readonly brand: 'ApiKeyId' }
/** SHA-256 of an API key, base64url: all that a store ever holds of it. */
export type ApiKeyDigest = string & { readonly brand: 'ApiKeyDigest' }

/** An API key without the key. One that was revoked or has expired stays in the list. */
export type ApiKey = {
  readonly id: ApiKeyId
  readonly name: string
  readonly roles: readonly Role[]
  readonly createdAt: Instant
  readonly revokedAt?: Instant
  /** From this moment on it is no key any more; one without it is good until it is revoked. */
  readonly expiresAt?: Instant
  /** The beginning of the hour (of UTC) in which it was used last; absent where it never was. */
  readonly lastUsedAt?: Instant
}

const API_KEY_NAME_MAX = 100
const HOUR: Milliseconds = 3_600_000
/** What is to last longer is made without an end. */
const API_KEY_LIFE_MAX: Milliseconds = 3_653 * 24 * HOUR

export function apiKeyName(text: string): Parsed<string> {
  return plainText(text.trim(), API_KEY_NAME_MAX)
}

/** A whole number of milliseconds, later than now and at most ten years. */
export function apiKeyExpiry(at: Instant, now: Instant): Parsed<Instant> {
  const fine = Number.isSafeInteger(at) && at > now && at <= now + API_KEY_LIFE_MAX
  return fine ? accepted(at) : broken('NotValid', 'must be a moment from now to ten years ahead')
}

/** Whether it was to end by this moment; whether it was revoked is another matter. */
export function hasExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, at: Instant): boolean {
  return expiresAt !== undefined && at >= expiresAt
}

/** As exactly as the last use of a key is kept: the beginning of the hour. */
export function hourOfUse(at: Instant): Instant {
  return Math.floor(at / HOUR) * HOUR
}

/** A positive integer in plain decimal, as `apikey list` shows it. */
export function apiKeyId(text: string): Parsed<ApiKeyId> {
  const id = Number(text)
  const fine = /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(id)
  return fine
    ? accepted(id as ApiKeyId)
    : broken('Format', 'must be the id of an API key, a positive integer')
}
