import type { ApiKey, ApiKeyDigest, ApiKeyId } from '../domain/access/api-key.js'
import type { RoleKey } from '../domain/access/role.js'
import type { Instant } from '../domain/instant.js'

/** A key to be kept: its digest in place of itself. */
export type NewApiKey = {
  readonly name: string
  readonly digest: ApiKeyDigest
  readonly roles: readonly RoleKey[]
  readonly createdAt: Instant
  /** When it ends by itself; never, where it is absent. */
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
   * The key with its roles in one read; `undefined` where there is none, it was revoked, or `at` is not before its
   * `expiresAt`. May be frozen, and then the same object is handed out again while nothing is written: what it is at `at`
   * is judged at each call.
   */
  find(digest: ApiKeyDigest, at: Instant): Promise<ApiKey | undefined>
  /** Keys with an id above `after`, ascending, at most `limit`, those that are revoked or over too. The cost is the page's. */
  page(after: ApiKeyId | undefined, limit: number): Promise<readonly ApiKey[]>
  /**
   * Keeps `at` as the last use, unless a later one is kept. Called at most once an hour by each process, and by no
   * request that waits for it: what is lost of it does no harm. A key that is not there is no error.
   */
  recordUse(id: ApiKeyId, at: Instant): Promise<void>
  /** After it returns `find` does not find it. */
  revoke(id: ApiKeyId, at: Instant): Promise<'revoked' | 'already-revoked' | 'unknown'>
}
