import type { Instant } from '../../domain/instant.js'
import type { Revocations, StatelessLogin } from '../../ports/revocations.js'
import type { Database } from './database.js'
import { rotateLogin } from './login-rotation.js'
import { removeFirst, upserting } from './writes.js'

/** Logins of stateless mode that are revoked or were refreshed, a document each. */
export function createRevocations({ accounts, revocations, run }: Database): Revocations {
  async function isRevoked({ sessionId, accountId, epoch }: StatelessLogin, at: Instant): Promise<boolean> {
    const active = { _id: accountId, epoch, disabledAt: { $exists: false } }
    const ids = { $project: { _id: 1 } }
    const inForce = [{ $match: { _id: sessionId, until: { $gt: at }, pairs: { $exists: false } } }, ids]
    const [account] = await accounts
      .aggregate<{ revoked: unknown[] }>([
        { $match: active },
        ids,
        { $lookup: { from: revocations.collectionName, pipeline: inForce, as: 'revoked' } },
      ])
      .toArray()
    return account === undefined || account.revoked.length > 0
  }

  return {
    isRevoked: (login, at) => run(() => isRevoked(login, at)),
    rotate: (request) => run(() => rotateLogin(revocations, request)),
    revoke: (sessionId, until) =>
      run(async () => {
        const outcome = await upserting(() =>
          revocations.updateOne({ _id: sessionId }, revoking(until), { upsert: true }),
        )
        return outcome.upsertedCount + outcome.modifiedCount > 0 ? 'revoked' : 'unchanged'
      }),
    purge: (at, limit) =>
      run(() => removeFirst(revocations, { until: { $lte: at } }, { sort: { until: 1 }, limit })),
  }
}

/** The later end counts of two revocations; pairs give way to either. */
function revoking(until: Instant) {
  const wasInForce = { $gt: ['$pairs', null] }
  const later = { $cond: [wasInForce, until, { $max: ['$until', until] }] }
  return [{ $set: { until: later } }, { $unset: 'pairs' }]
}
