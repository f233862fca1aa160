import type { ApiKey, ApiKeyCreator, ApiKeyDigest, ApiKeyId } from '../domain/access/api-key.js'
import type { RoleKey } from '../domain/access/role.js'
import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'

/** An API key to insert, identified by its digest. */
export type NewApiKey = {
  readonly name: string
  readonly digest: ApiKeyDigest
  readonly roles: readonly RoleKey[]
  readonly createdAt: Instant
  readonly createdBy?: ApiKeyCreator
  /** If this time is absent, the key does not expire. */
  readonly expiresAt?: Instant
}

/** API keys. A store keeps only the digests of API keys. IDs increase and are never reused. */
export type ApiKeys = {
  /** All or nothing: if a role is unknown, no key is inserted. */
  insert(
    key: NewApiKey,
  ): Promise<
    | { readonly kind: 'inserted'; readonly id: ApiKeyId }
    | { readonly kind: 'unknown-role'; readonly role: RoleKey }
  >
  /**
   * Returns the key with its roles, in one read, or `undefined` if the key is unknown, revoked, or expired at `at`, or if the account that
   * created it is disabled or does not exist. A frozen result may be returned again as long as its data and the account have not changed,
   * but each call checks the expiry.
   */
  find(digest: ApiKeyDigest, at: Instant): Promise<ApiKey | undefined>
  /**
   * Returns at most `limit` keys with IDs above `after`, ordered by ID, even if revoked or expired. The cost depends only on the size of the
   * page.
   */
  page(after: ApiKeyId | undefined, limit: number): Promise<readonly ApiKey[]>
  /**
   * Stores `at` as the last use, unless a later use is stored. Called at most once an hour by each process, and no
   * request waits for it, so a lost write does no harm. Ignores unknown keys.
   */
  recordUse(id: ApiKeyId, at: Instant): Promise<void>
  /** Once the call resolves, `find` no longer finds the key. */
  revoke(id: ApiKeyId, at: Instant): Promise<'revoked' | 'already-revoked' | 'unknown'>
  /**
   * Revokes every key that this account created, whether or not the account exists. Keys that are already revoked keep their revocation
   * date. Once the call resolves, `find` finds none of the keys, even after the account is enabled again.
   */
  revokeAllOf(accountId: AccountId, at: Instant): Promise<void>
}
