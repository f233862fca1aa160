import { hasExpired, type ApiKey, type ApiKeyDigest, type ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Database } from './database.js'
import type { RowNames } from './row-changes.js'
import { apiKeyColumns, apiKeyOf, createStoredApiKeys } from '../sql/api-keys.js'
import { rolesOf, statementsOf } from './statements.js'

export const API_KEY_COLUMNS = apiKeyColumns(rolesOf)

/** SQL condition that the creator is not a disabled or deleted account; it costs little for a key without an account. */
const CREATOR_ACTIVE = `(k.created_by IS NULL OR k.created_by = 'cli' OR EXISTS (
      SELECT 1 FROM accounts AS a WHERE a.id = k.created_by AND a.disabled_at IS NULL
    ))`

const CACHED_KEY_BYTES = 512 * 1024

/** Stores API keys; lookups by digest are cached. */
export function createApiKeys(database: Database): ApiKeys {
  const { prepare, rowCaches, readCached, write } = database
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const insert = prepare(
    'INSERT INTO api_keys (name, digest, created_at, created_by, expires_at) VALUES (?, ?, ?, ?, ?)',
  )
  const assign = prepare(
    'INSERT INTO api_key_roles (api_key_id, role_key) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const find = prepare(
    `SELECT ${API_KEY_COLUMNS} FROM api_keys AS k
     WHERE k.digest = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?) AND ${CREATOR_ACTIVE}`,
  )
  const cachedKey = rowCaches.cache<ApiKey | undefined>(CACHED_KEY_BYTES, rowsOf)
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
        // A cached key that has expired is read again, so that rejecting an expired key takes as long as rejecting an unknown key.
        return found && hasExpired(found, at) ? readKey(digest, at) : found
      }),
    ...createStoredApiKeys(statementsOf(database), API_KEY_COLUMNS),
  }
}

function rowsOf({ id, createdBy = 'cli' }: ApiKey): RowNames {
  return createdBy === 'cli' ? [`apiKey ${id}`] : [`apiKey ${id}`, `account ${createdBy}`]
}
