import type { ApiKey } from '../../domain/access/api-key.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import { API_KEY, parseRoles } from './records.js'
import type { Row, Statements } from './statements.js'

/** Returns the columns of an API key for queries with the table alias `k`. */
export function apiKeyColumns(
  rolesOf: (members: 'api_key_roles', owner: string, id: string) => string,
): string {
  const own = API_KEY.columns.map((column) => `k.${column}`)
  return [...own, `${rolesOf('api_key_roles', 'api_key_id', 'k.id')} AS roles`].join(', ')
}

export function apiKeyOf(row: Row): ApiKey {
  const { digest: _, ...key } = API_KEY.read(row)
  return { ...key, roles: parseRoles(row.at(-1)) }
}

/** The `ApiKeys` methods that are the same in all databases; `columns` is the result of `apiKeyColumns`. */
export function createStoredApiKeys(
  { read, write }: Statements,
  columns: string,
): Pick<ApiKeys, 'page' | 'recordUse' | 'revoke' | 'revokeAllOf'> {
  const page = read(`SELECT ${columns} FROM {api_keys} AS k WHERE k.id > ? ORDER BY k.id LIMIT ?`)
  const known = read('SELECT 1 FROM {api_keys} WHERE id = ?')
  const revoke = write('UPDATE {api_keys} SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const revokeAllOf = write(
    'UPDATE {api_keys} SET revoked_at = ? WHERE created_by = ? AND revoked_at IS NULL',
  )
  const recordUse = write(
    'UPDATE {api_keys} SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)',
  )
  return {
    page: async (after, limit) => (await page.all(after ?? 0, limit)).map(apiKeyOf),
    recordUse: async (id, at) => {
      await recordUse.run(at, id)
    },
    revoke: async (id, at) => {
      if ((await revoke.run(at, id)) === 1) return 'revoked'
      return (await known.get(id)) ? 'already-revoked' : 'unknown'
    },
    revokeAllOf: async (accountId, at) => {
      await revokeAllOf.run(at, accountId)
    },
  }
}
