import type { ApiKey, ApiKeyId } from '../../domain/access/api-key.js'
import type { ApiKeys, NewApiKey } from '../../ports/api-keys.js'
import type { Database } from './database.js'
import type { ApiKeyDocument } from './documents.js'
import { insertCounted } from './ids.js'
import { insertOwn } from './writes.js'
import { rolesOfKeys } from './role-table.js'

/** No key has it. */
const FIRST = 0 as ApiKeyId

/** API keys under their digests. */
export function createApiKeys(database: Database): ApiKeys {
  const { apiKeys, run } = database

  async function insert({ roles, ...key }: NewApiKey) {
    const found = await rolesOfKeys(database, roles)
    if ('unknown' in found) return { kind: 'unknown-role', role: found.unknown } as const
    const id = await insertCounted<ApiKeyId>(database, 'apiKeys', (_id) =>
      insertOwn(apiKeys, { _id, ...key, roles: found.roles }),
    )
    return { kind: 'inserted', id } as const
  }

  return {
    insert: (key) => run(() => insert(key)),
    find: (digest, at) =>
      run(async () => {
        // One that has expired is answered by the server as one that is not there, so that it costs the same.
        const inForce = { digest, revokedAt: { $exists: false }, expiresAt: { $not: { $lte: at } } }
        const document = await apiKeys.findOne(inForce)
        return document === null ? undefined : apiKeyOf(document)
      }),
    page: (after, limit) =>
      run(async () => {
        const rest = { _id: { $gt: after ?? FIRST } }
        return (await apiKeys.find(rest, { sort: { _id: 1 }, limit }).toArray()).map(apiKeyOf)
      }),
    recordUse: (id, at) =>
      run(async () => {
        await apiKeys.updateOne({ _id: id }, { $max: { lastUsedAt: at } })
      }),
    revoke: (id, at) =>
      run(async () => {
        const active = { _id: id, revokedAt: { $exists: false } }
        const { matchedCount } = await apiKeys.updateOne(active, { $set: { revokedAt: at } })
        if (matchedCount === 1) return 'revoked'
        return (await apiKeys.findOne({ _id: id })) ? 'already-revoked' : 'unknown'
      }),
  }
}

function apiKeyOf({ _id, digest: _, ...rest }: ApiKeyDocument): ApiKey {
  return { id: _id, ...rest }
}
