import type { AccountId } from '../identity/account.js'
import type { Instant, Milliseconds } from '../instant.js'
import { plainText, accepted, broken, type Parsed, positiveIntegerIn } from '../parsed.js'
import type { Role } from './role.js'

/** Identifies an API key, but gives no access. */
export type ApiKeyId = number & { readonly brand: 'ApiKeyId' }
/** The SHA-256 digest of an API key in base64url, the only form that a store keeps. */
export type ApiKeyDigest = string & { readonly brand: 'ApiKeyDigest' }

/** The account that created an API key, or `cli` for an operator or the host itself. */
export type ApiKeyCreator = AccountId | 'cli'

/** An API key without its secret. Revoked and expired keys are kept. */
export type ApiKey = {
  readonly id: ApiKeyId
  readonly name: string
  readonly roles: readonly Role[]
  readonly createdAt: Instant
  /**
   * If an account created the key, the key is invalid while the account is disabled and after it is deleted. A key that was created with
   * another key has the same creator as that key. Absent for keys created by release 0.8.0 or earlier.
   */
  readonly createdBy?: ApiKeyCreator
  readonly revokedAt?: Instant
  /** The time from which the key is invalid. Without an expiry, the key is valid until it is revoked. */
  readonly expiresAt?: Instant
  /** The start of the hour (UTC) in which the key was last used; absent for an unused key. */
  readonly lastUsedAt?: Instant
}

const API_KEY_NAME_MAX = 100
const HOUR: Milliseconds = 3_600_000
const API_KEY_LIFE_MAX: Milliseconds = 3_653 * 24 * HOUR

export function apiKeyName(text: string): Parsed<string> {
  return plainText(text.trim(), API_KEY_NAME_MAX)
}

/** Requires a time in whole milliseconds, after `now` and at most ten years later. */
export function apiKeyExpiry(at: Instant, now: Instant): Parsed<Instant> {
  const isValid = Number.isSafeInteger(at) && at > now && at <= now + API_KEY_LIFE_MAX
  return isValid ? accepted(at) : broken('NotValid', 'must be a time within the next ten years')
}

export function hasExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, at: Instant): boolean {
  return expiresAt !== undefined && at >= expiresAt
}

export function isInForce(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, at: Instant): boolean {
  return key.revokedAt === undefined && !hasExpired(key, at)
}

/** Returns the creator as the audit log names actors: `account:7` or `cli`. */
export function creatorText(creator: ApiKeyCreator): string {
  return creator === 'cli' ? creator : `account:${creator}`
}

/** Rounded down to a full hour, as in `lastUsedAt`. */
export function hourOfUse(at: Instant): Instant {
  return Math.floor(at / HOUR) * HOUR
}

export function apiKeyId(text: string): Parsed<ApiKeyId> {
  const id = positiveIntegerIn(text)
  return id === undefined
    ? broken('Format', 'must be the id of an API key, a positive integer')
    : accepted(id as ApiKeyId)
}
