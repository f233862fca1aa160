import { hasExpired, type ApiKey, type ApiKeyDigest, type ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { RecordOf } from '../../ports/copyable-records.js'
import type { Database } from './database.js'
import type { Row } from './driver.js'
import { mapping, parseRoles, rolesOf } from './rows.js'

export const API_KEY = mapping<Omit<RecordOf['apiKey'], 'roles'>>(
  ...(['id', 'name', 'createdAt', 'revokedAt', 'expiresAt', 'lastUsedAt', 'digest'] as const),
)

/** Columns of an API key for queries with the table alias `k`. */
export const API_KEY_COLUMNS = [
  ...API_KEY.columns.map((column) => `k.${column}`),
  `${rolesOf('api_key_roles', 'api_key_id', 'k.id')} AS roles`,
].join(', ')

const CACHED_KEY_BYTES = 512 * 1024

export function createApiKeys({ prepare, rowCaches, read, readCached, write }: Database): ApiKeys {
  const select = (condition: string) =>
    prepare(`SELECT ${API_KEY_COLUMNS} FROM api_keys AS k WHERE ${condition}`)
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const insert = prepare('INSERT INTO api_keys (name, digest, created_at, expires_at) VALUES (?, ?, ?, ?)')
  const assign = prepare(
    'INSERT INTO api_key_roles (api_key_id, role_key) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const find = select('k.digest = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)')
  const cachedKey = rowCaches.cache<ApiKey | undefined>(CACHED_KEY_BYTES, ({ id }) => [`apiKey ${id}`])
  const page = select('k.id > ? ORDER BY k.id LIMIT ?')
  const known = prepare('SELECT 1 FROM api_keys WHERE id = ?')
  const revoke = prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const recordUse = prepare(
    'UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)',
  )

  function readKey(digest: ApiKeyDigest, at: Instant): ApiKey | undefined {
    const row = find.get(digest, at)
    return row && apiKeyOf(row)
  }

  return {
    insert: ({ name, digest, roles, createdAt, expiresAt }) =>
      write(() => {
        const unknown = roles.find((key) => !role.get(key))
        if (unknown !== undefined) return { kind: 'unknown-role', role: unknown }
        const id = insert.run(name, digest, createdAt, expiresAt ?? null).lastInsertRowid as ApiKeyId
        for (const key of roles) assign.run(id, key)
        return { kind: 'inserted', id }
      }),
    find: (digest, at) =>
      readCached(() => {
        const found = cachedKey(digest, () => readKey(digest, at))
        // If a cached key has expired, it is read again, so that an expired key costs as much as an unknown key.
        return found && hasExpired(found, at) ? readKey(digest, at) : found
      }),
    page: (after, limit) => read(() => page.all(after ?? 0, limit).map(apiKeyOf)),
    recordUse: (id, at) => write(() => void recordUse.run(at, id)),
    revoke: (id, at) =>
      write(() => {
        if (revoke.run(at, id).changes === 1) return 'revoked'
        return known.get(id) ? 'already-revoked' : 'unknown'
      }),
  }
}

function apiKeyOf(row: Row): ApiKey {
  const { digest: _, ...key } = API_KEY.read(row)
  return { ...key, roles: parseRoles(row.at(-1)) }
}
