import type { Instant } from '../../domain/instant.js'
import type { Revocations, StatelessLogin } from '../../ports/revocations.js'
import type { Database } from './database.js'
import { removeFirst, upserting } from './writes.js'

/** Revoked logins of stateless mode, a document each. */
export function createRevocations({ accounts, revocations, run }: Database): Revocations {
  async function isRevoked({ sessionId, accountId, epoch }: StatelessLogin, at: Instant): Promise<boolean> {
    const active = { _id: accountId, epoch, disabledAt: { $exists: false } }
    const ids = { $project: { _id: 1 } }
    const inForce = [{ $match: { _id: sessionId, until: { $gt: at } } }, ids]
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
    revoke: (sessionId, until) =>
      run(async () => {
        const later = { $max: { until } }
        const outcome = await upserting(() =>
          revocations.updateOne({ _id: sessionId }, later, { upsert: true }),
        )
        return outcome.upsertedCount + outcome.modifiedCount > 0 ? 'revoked' : 'unchanged'
      }),
    purge: (at, limit) =>
      run(() => removeFirst(revocations, { until: { $lte: at } }, { sort: { until: 1 }, limit })),
  }
}
