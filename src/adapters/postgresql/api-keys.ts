import type { RoleKey } from '../../domain/access/role.js'
import type { ApiKey, ApiKeyId } from '../../domain/access/api-key.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import { API_KEY } from '../sql/records.js'
import { parseRoles } from '../sql/rows.js'
import type { Row } from '../sql/statements.js'
import { HELD_ROLES, rolesOf } from './rows.js'
import type { PostgresStatements } from './statements.js'

const CREATED_BY = API_KEY.columns.indexOf('created_by')

/** Columns of an API key for queries with the table alias `k`. */
export const API_KEY_COLUMNS = [
  ...API_KEY.columns.map((column) => `k.${column}`),
  `${rolesOf('api_key_roles', 'api_key_id', 'k.id')} AS roles`,
].join(', ')

/** SQL condition that the creator is not a disabled or deleted account. */
const CREATOR_ACTIVE = `(k.created_by IS NULL OR k.created_by = 'cli' OR EXISTS (
  SELECT 1 FROM {accounts} AS a WHERE a.id = CAST(nullif(k.created_by, 'cli') AS bigint) AND a.disabled_at IS NULL
))`

/** Stores API keys. */
export function createApiKeys({ read, readPrimary, write }: PostgresStatements): ApiKeys {
  const insert = write<readonly [id: ApiKeyId | null, missing: RoleKey | null]>(`
    WITH new AS (SELECT CAST(? AS text) AS roles), ${HELD_ROLES},
    inserted AS (
      INSERT INTO {api_keys} (name, digest, created_at, created_by, expires_at)
      SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM missing) RETURNING id
    ),
    joined AS (
      INSERT INTO {api_key_roles} (api_key_id, role_key) SELECT inserted.id, held.key FROM inserted, held
    )
    SELECT (SELECT id FROM inserted), (SELECT key FROM missing)`)
  const find = readPrimary(`
    SELECT pg_is_in_recovery(), found.* FROM (SELECT) AS one LEFT JOIN (
      SELECT ${API_KEY_COLUMNS} FROM {api_keys} AS k
      WHERE k.digest = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?) AND ${CREATOR_ACTIVE}
    ) AS found ON true`)
  const page = read(`SELECT ${API_KEY_COLUMNS} FROM {api_keys} AS k WHERE k.id > ? ORDER BY k.id LIMIT ?`)
  const known = read('SELECT 1 FROM {api_keys} WHERE id = ?')
  const revoke = write('UPDATE {api_keys} SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const revokeAllOf = write(
    'UPDATE {api_keys} SET revoked_at = ? WHERE created_by = ? AND revoked_at IS NULL',
  )
  const recordUse = write(
    'UPDATE {api_keys} SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)',
  )

  return {
    insert: async ({ name, digest, roles, createdAt, createdBy, expiresAt = null }) => {
      const creator = createdBy === undefined ? null : String(createdBy)
      const row = await insert.get(JSON.stringify(roles), name, digest, createdAt, creator, expiresAt)
      const [id, missing] = row ?? [null, null]
      return id === null ? { kind: 'unknown-role', role: missing as RoleKey } : { kind: 'inserted', id }
    },
    find: async (digest, at) => {
      const [, ...row] = (await find.get(digest, at)) as Row
      return row[0] === null ? undefined : apiKeyOf(row)
    },
    page: async (after, limit) => (await page.all(after ?? 0, limit)).map(apiKeyOf),
    recordUse: async (id, at) => {
      await recordUse.run(at, id)
    },
    revoke: async (id, at) => {
      if ((await revoke.run(at, id)) === 1) return 'revoked'
      return (await known.get(id)) ? 'already-revoked' : 'unknown'
    },
    revokeAllOf: async (accountId, at) => {
      await revokeAllOf.run(at, String(accountId))
    },
  }
}

/** Returns the row of an API key in the form in which the ID of its creator is a number. */
export function withCreator(row: Row): Row {
  const creator = row[CREATED_BY] ?? null
  return creator === null || creator === 'cli' ? row : row.with(CREATED_BY, Number(creator))
}

function apiKeyOf(row: Row): ApiKey {
  const { digest: _, ...key } = API_KEY.read(withCreator(row))
  return { ...key, roles: parseRoles(row.at(-1)) }
}
