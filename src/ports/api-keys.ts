import type { ApiKey, ApiKeyDigest, ApiKeyId } from '../domain/access/api-key.js'
import type { RoleKey } from '../domain/access/role.js'
import type { Instant } from '../domain/instant.js'

/** A new key, by its digest. */
export type NewApiKey = {
  readonly name: string
  readonly digest: ApiKeyDigest
  readonly roles: readonly RoleKey[]
  readonly createdAt: Instant
  /** Without it the key does not expire. */
  readonly expiresAt?: Instant
}

/** API keys, by digest; no key is ever stored or shown again. Ids increase and are never reused. */
export type ApiKeys = {
  /** All or nothing: with an unknown role no key is made. */
  insert(
    key: NewApiKey,
  ): Promise<
    | { readonly kind: 'inserted'; readonly id: ApiKeyId }
    | { readonly kind: 'unknown-role'; readonly role: RoleKey }
  >
  /**
   * The key with its roles, in one read; `undefined` if it is unknown, revoked, or expired at `at`. A frozen answer may
   * be returned again until its data changes, but each call judges the expiry.
   */
  find(digest: ApiKeyDigest, at: Instant): Promise<ApiKey | undefined>
  /**
   * Keys with an ID above `after`, ascending, at most `limit`, also revoked and expired keys. The cost depends only on
   * the page.
   */
  page(after: ApiKeyId | undefined, limit: number): Promise<readonly ApiKey[]>
  /**
   * Stores `at` as the last use, unless a later use is stored. Called at most once an hour by each process, and no
   * request waits for it: a lost write does no harm. An unknown key is no error.
   */
  recordUse(id: ApiKeyId, at: Instant): Promise<void>
  /** When it resolves, `find` does not find the key. */
  revoke(id: ApiKeyId, at: Instant): Promise<'revoked' | 'already-revoked' | 'unknown'>
}
