import type { Instant } from '../../domain/instant.js'
import type { Revocations } from '../../ports/revocations.js'
import type { Database } from './database.js'
import { ENABLED } from './epochs.js'
import { rotateLogin } from './login-rotation.js'
import { removeFirst, upserting } from './writes.js'

/** Stores revoked logins and the current token pairs of stateless mode. */
export function createRevocations({ accounts, revocations }: Database): Revocations {
  return {
    async isRevoked({ sessionId, accountId, epoch }, at) {
      const ids = { $project: { _id: 1 } }
      const isRevoked = [{ $match: { _id: sessionId, until: { $gt: at }, pairs: { $exists: false } } }, ids]
      const [account] = await accounts
        .aggregate<{ revoked: unknown[] }>([
          { $match: { _id: accountId, epoch, ...ENABLED } },
          ids,
          { $lookup: { from: revocations.collectionName, pipeline: isRevoked, as: 'revoked' } },
        ])
        .toArray()
      return account === undefined || account.revoked.length > 0
    },
    rotate: (request) => rotateLogin(revocations, request),
    async revoke(sessionId, until) {
      const outcome = await upserting(() =>
        revocations.updateOne({ _id: sessionId }, revoking(until), { upsert: true }),
      )
      return outcome.upsertedCount + outcome.modifiedCount > 0 ? 'revoked' : 'unchanged'
    },
    purge: (at, limit) => removeFirst(revocations, { until: { $lte: at } }, { sort: { until: 1 }, limit }),
  }
}

/** Keeps the later end time of two revocations, and removes the token pairs. */
function revoking(until: Instant) {
  const hasPairs = { $gt: ['$pairs', null] }
  const later = { $cond: [hasPairs, until, { $max: ['$until', until] }] }
  return [{ $set: { until: later } }, { $unset: 'pairs' }]
}
