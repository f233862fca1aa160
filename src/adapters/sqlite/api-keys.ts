import { hasExpired, type ApiKey, type ApiKeyDigest, type ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { ApiKeys, NewApiKey } from '../../ports/api-keys.js'
import type { Database } from './database.js'
import { parseRoles, rolesOf } from './rows.js'

export const API_KEY_COLUMNS = `
  k.id, k.name, k.created_at, k.revoked_at, k.expires_at, k.last_used_at,
  ${rolesOf('api_key_roles', 'api_key_id', 'k.id')} AS roles`

export type ApiKeyRow = readonly [
  id: ApiKeyId,
  name: string,
  createdAt: Instant,
  revokedAt: Instant | null,
  expiresAt: Instant | null,
  lastUsedAt: Instant | null,
  roles: string,
]

/** Of those that are in use right now: few programs have one. */
const CACHED_KEYS = 1_000

/** API keys under their digests. */
export function createApiKeys({ prepare, rowCaches, read, readCached, write }: Database): ApiKeys {
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const insert = prepare('INSERT INTO api_keys (name, digest, created_at, expires_at) VALUES (?, ?, ?, ?)')
  const assign = prepare(
    'INSERT INTO api_key_roles (api_key_id, role_key) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const find = prepare<ApiKeyRow>(
    `SELECT ${API_KEY_COLUMNS} FROM api_keys AS k
     WHERE k.digest = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)`,
  )
  const cachedKey = rowCaches.cache<ApiKey | undefined>(CACHED_KEYS)
  const page = prepare<ApiKeyRow>(
    `SELECT ${API_KEY_COLUMNS} FROM api_keys AS k WHERE k.id > ? ORDER BY k.id LIMIT ?`,
  )
  const known = prepare('SELECT 1 FROM api_keys WHERE id = ?')
  const revoke = prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const recordUse = prepare(
    'UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)',
  )

  function insertWithRoles({ name, digest, roles, createdAt, expiresAt }: NewApiKey) {
    const unknown = roles.find((key) => !role.get(key))
    if (unknown !== undefined) return { kind: 'unknown-role', role: unknown } as const
    const id = insert.run(name, digest, createdAt, expiresAt ?? null).lastInsertRowid as ApiKeyId
    for (const key of roles) assign.run(id, key)
    return { kind: 'inserted', id } as const
  }

  function readKey(digest: ApiKeyDigest, at: Instant): ApiKey | undefined {
    const row = find.get(digest, at)
    return row && apiKeyOf(row)
  }

  /** One that is remembered and has expired since is read again, so that it costs what a key costs that is not there. */
  function findKey(digest: ApiKeyDigest, at: Instant): ApiKey | undefined {
    const found = cachedKey(digest, () => readKey(digest, at))
    return found && hasExpired(found, at) ? readKey(digest, at) : found
  }

  return {
    insert: (key) => write(() => insertWithRoles(key)),
    find: (digest, at) => readCached(() => findKey(digest, at)),
    page: (after, limit) => read(() => page.all(after ?? 0, limit).map(apiKeyOf)),
    recordUse: (id, at) =>
      write(() => {
        recordUse.run(at, id)
      }),
    revoke: (id, at) =>
      write(() => {
        if (revoke.run(at, id).changes === 1) return 'revoked'
        return known.get(id) ? 'already-revoked' : 'unknown'
      }),
  }
}

export function apiKeyOf(row: ApiKeyRow): ApiKey {
  const [id, name, createdAt, revokedAt, expiresAt, lastUsedAt, roles] = row
  return {
    id,
    name,
    roles: parseRoles(roles),
    createdAt,
    ...(revokedAt !== null && { revokedAt }),
    ...(expiresAt !== null && { expiresAt }),
    ...(lastUsedAt !== null && { lastUsedAt }),
  }
}
