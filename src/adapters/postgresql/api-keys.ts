import type { RoleKey } from '../../domain/access/role.js'
import type { ApiKeyId } from '../../domain/access/api-key.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import { apiKeyColumns, apiKeyOf, createStoredApiKeys } from '../sql/api-keys.js'
import type { Row } from '../sql/statements.js'
import { HELD_ROLES, rolesOf, type PostgresStatements } from './statements.js'

export const API_KEY_COLUMNS = apiKeyColumns(rolesOf)

/** SQL condition that the creator is not a disabled or deleted account. */
const CREATOR_ACTIVE = `(k.created_by IS NULL OR k.created_by = 'cli' OR EXISTS (
  SELECT 1 FROM {accounts} AS a WHERE a.id = CAST(nullif(k.created_by, 'cli') AS bigint) AND a.disabled_at IS NULL
))`

/** Stores API keys. */
export function createApiKeys(statements: PostgresStatements): ApiKeys {
  const { readPrimary, write } = statements
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
    ...createStoredApiKeys(statements, API_KEY_COLUMNS),
  }
}
