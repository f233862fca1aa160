import type { ApiKey, ApiKeyDigest, ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { ApiKeys, NewApiKey } from '../../ports/api-keys.js'
import type { Database } from './database.js'
import { parseRoles, rolesOf } from './rows.js'

const API_KEY_COLUMNS = `
  k.id, k.name, k.created_at, k.revoked_at, ${rolesOf('api_key_roles', 'api_key_id', 'k.id')} AS roles`

type ApiKeyRow = readonly [
  id: ApiKeyId,
  name: string,
  createdAt: Instant,
  revokedAt: Instant | null,
  roles: string,
]

/** Of those that are in use right now: few programs have one. */
const CACHED_KEYS = 1_000

/** API keys under their digests. */
export function createApiKeys({ prepare, rowCaches, read, readCached, write }: Database): ApiKeys {
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const insert = prepare('INSERT INTO api_keys (name, digest, created_at) VALUES (?, ?, ?)')
  const assign = prepare(
    'INSERT INTO api_key_roles (api_key_id, role_key) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const find = prepare<ApiKeyRow>(
    `SELECT ${API_KEY_COLUMNS} FROM api_keys AS k WHERE k.digest = ? AND k.revoked_at IS NULL`,
  )
  const cachedKey = rowCaches.cache<ApiKey | undefined>(CACHED_KEYS)
  const list = prepare<ApiKeyRow>(`SELECT ${API_KEY_COLUMNS} FROM api_keys AS k ORDER BY k.id`)
  const known = prepare('SELECT 1 FROM api_keys WHERE id = ?')
  const revoke = prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')

  function insertWithRoles({ name, digest, roles, createdAt }: NewApiKey) {
    const unknown = roles.find((key) => !role.get(key))
    if (unknown !== undefined) return { kind: 'unknown-role', role: unknown } as const
    const id = insert.run(name, digest, createdAt).lastInsertRowid as ApiKeyId
    for (const key of roles) assign.run(id, key)
    return { kind: 'inserted', id } as const
  }

  function readKey(digest: ApiKeyDigest): ApiKey | undefined {
    const row = find.get(digest)
    return row && apiKeyOf(row)
  }

  return {
    insert: (key) => write(() => insertWithRoles(key)),
    find: (digest) => readCached(() => cachedKey(digest, () => readKey(digest))),
    list: () => read(() => list.all().map(apiKeyOf)),
    revoke: (id, at) =>
      write(() => {
        if (revoke.run(at, id).changes === 1) return 'revoked'
        return known.get(id) ? 'already-revoked' : 'unknown'
      }),
  }
}

function apiKeyOf([id, name, createdAt, revokedAt, roles]: ApiKeyRow): ApiKey {
  return {
    id,
    name,
    roles: parseRoles(roles),
    createdAt,
    ...(revokedAt !== null && { revokedAt }),
  }
}
