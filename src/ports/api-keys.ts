import type { ApiKey, ApiKeyDigest, ApiKeyId } from '../domain/access/api-key.js'
import type { RoleKey } from '../domain/access/role.js'
import type { Instant } from '../domain/instant.js'

/** A key to be kept: its digest in place of itself. */
export type NewApiKey = {
  readonly name: string
  readonly digest: ApiKeyDigest
  readonly roles: readonly RoleKey[]
  readonly createdAt: Instant
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
  /** The key with its roles in one read; `undefined` where there is none or it was revoked. */
  find(digest: ApiKeyDigest): Promise<ApiKey | undefined>
  /** All keys, revoked ones too, by id. */
  list(): Promise<readonly ApiKey[]>
  /** After it returns `find` does not find it. */
  revoke(id: ApiKeyId, at: Instant): Promise<'revoked' | 'already-revoked' | 'unknown'>
}
