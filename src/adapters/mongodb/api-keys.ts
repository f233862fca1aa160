import type { ApiKey, ApiKeyId } from '../../domain/access/api-key.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Database } from './database.js'
import { validAt, recordOf, type AccountDocument, type ApiKeyDocument } from './documents.js'
import { insertOwn } from './writes.js'
import { insertWithRoles } from './roles.js'

type Joined = ApiKeyDocument & { readonly creators: readonly AccountDocument[] }

/** Without the empty pipeline, MongoDB 6 compiles the query on each call. */
const WITH_CREATOR = {
  $lookup: { from: 'accounts', localField: 'createdBy', foreignField: '_id', as: 'creators', pipeline: [] },
}

/** Stores API keys, each with a copy of its roles. */
export function createApiKeys(database: Database): ApiKeys {
  const { apiKeys } = database
  return {
    insert: ({ roles, ...key }) =>
      insertWithRoles<ApiKeyId>(database, 'apiKeys', roles, (_id, held) =>
        insertOwn(apiKeys, { _id, ...key, roles: held }),
      ),
    async find(digest, at) {
      // The query checks the expiry, so that looking up an expired key costs as much as looking up an unknown key.
      const pipeline = [{ $match: { digest, ...validAt(at) } }, WITH_CREATOR]
      const [found] = await apiKeys.aggregate<Joined>(pipeline).toArray()
      if (!found) return undefined
      const { creators, ...document } = found
      const { createdBy = 'cli' } = document
      const isActive = createdBy === 'cli' || creators.some(({ disabledAt }) => disabledAt === undefined)
      return isActive ? apiKeyOf(document) : undefined
    },
    async page(after = 0 as ApiKeyId, limit) {
      return (await apiKeys.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray()).map(
        apiKeyOf,
      )
    },
    async recordUse(id, at) {
      await apiKeys.updateOne({ _id: id }, { $max: { lastUsedAt: at } })
    },
    async revoke(id, at) {
      const active = { _id: id, revokedAt: { $exists: false } }
      const { matchedCount } = await apiKeys.updateOne(active, { $set: { revokedAt: at } })
      if (matchedCount === 1) return 'revoked'
      return (await apiKeys.findOne({ _id: id })) ? 'already-revoked' : 'unknown'
    },
    async revokeAllOf(accountId, at) {
      const active = { createdBy: accountId, revokedAt: { $exists: false } }
      await apiKeys.updateMany(active, { $set: { revokedAt: at } })
    },
  }
}

function apiKeyOf({ digest: _, ...key }: ApiKeyDocument): ApiKey {
  return recordOf<ApiKey>(key)
}
