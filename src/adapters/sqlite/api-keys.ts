import { hasExpired, type ApiKey, type ApiKeyDigest, type ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Database } from './database.js'
import type { RowNames } from './row-changes.js'
import { API_KEY } from '../sql/records.js'
import { parseRoles } from '../sql/rows.js'
import type { Row } from '../sql/statements.js'
import { rolesOf } from './rows.js'

/** Columns of an API key for queries with the table alias `k`. */
export const API_KEY_COLUMNS = [
  ...API_KEY.columns.map((column) => `k.${column}`),
  `${rolesOf('api_key_roles', 'api_key_id', 'k.id')} AS roles`,
].join(', ')

/** SQL condition that the creator is not a disabled or deleted account; it costs little for a key without an account. */
const CREATOR_ACTIVE = `(k.created_by IS NULL OR k.created_by = 'cli' OR EXISTS (
      SELECT 1 FROM accounts AS a WHERE a.id = k.created_by AND a.disabled_at IS NULL
    ))`

const CACHED_KEY_BYTES = 512 * 1024

/** Stores API keys; lookups by digest are cached. */
export function createApiKeys({ prepare, rowCaches, read, readCached, write }: Database): ApiKeys {
  const select = (condition: string) =>
    prepare(`SELECT ${API_KEY_COLUMNS} FROM api_keys AS k WHERE ${condition}`)
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const insert = prepare(
    'INSERT INTO api_keys (name, digest, created_at, created_by, expires_at) VALUES (?, ?, ?, ?, ?)',
  )
  const assign = prepare(
    'INSERT INTO api_key_roles (api_key_id, role_key) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const find = select(
    `k.digest = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?) AND ${CREATOR_ACTIVE}`,
  )
  const cachedKey = rowCaches.cache<ApiKey | undefined>(CACHED_KEY_BYTES, rowsOf)
  const page = select('k.id > ? ORDER BY k.id LIMIT ?')
  const known = prepare('SELECT 1 FROM api_keys WHERE id = ?')
  const revoke = prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const revokeAllOf = prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE created_by = ? AND revoked_at IS NULL',
  )
  const recordUse = prepare(
    'UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)',
  )

  function readKey(digest: ApiKeyDigest, at: Instant): ApiKey | undefined {
    const row = find.get(digest, at)
    return row && apiKeyOf(row)
  }

  return {
    insert: ({ name, digest, roles, createdAt, createdBy = null, expiresAt = null }) =>
      write(() => {
        const unknown = roles.find((key) => !role.get(key))
        if (unknown !== undefined) return { kind: 'unknown-role', role: unknown }
        const id = insert.run(name, digest, createdAt, createdBy, expiresAt).lastInsertRowid as ApiKeyId
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
    revokeAllOf: (accountId, at) => write(() => void revokeAllOf.run(at, accountId)),
  }
}

function rowsOf({ id, createdBy = 'cli' }: ApiKey): RowNames {
  return createdBy === 'cli' ? [`apiKey ${id}`] : [`apiKey ${id}`, `account ${createdBy}`]
}

function apiKeyOf(row: Row): ApiKey {
  const { digest: _, ...key } = API_KEY.read(row)
  return { ...key, roles: parseRoles(row.at(-1)) }
}
