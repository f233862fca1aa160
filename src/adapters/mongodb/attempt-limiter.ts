import type { Instant } from '../../domain/instant.js'
import type { Attempt, AttemptCount, AttemptLimiter, AttemptOutcome } from '../../ports/attempt-limiter.js'
import type { Database } from './database.js'
import { unavailable } from '../../domain/refusal.js'
import { removeFirst } from './writes.js'
import { isDuplicate } from './errors.js'

/** These counts may be lost with a power failure: one server's word is enough. */
const AT_ONCE = { writeConcern: { w: 1 } } as const

/** Counts of attempts, a document for each name. */
export function createAttempts({ attempts, run }: Database): AttemptLimiter {
  /**
   * One operation counts where the name has not reached its limit. Where it has, the filter finds
   * nothing, and the insert that then follows meets the document that is there.
   */
  async function takeOne({ name, limit }: AttemptCount, at: Instant): Promise<Instant | undefined> {
    const { count, window } = limit
    const open = { _id: name, $or: [{ until: { $lte: at } }, { count: { $lt: count } }] }
    const over = { $lte: [{ $ifNull: ['$until', at] }, at] }
    const counted = {
      count: { $cond: [over, 1, { $add: ['$count', 1] }] },
      until: { $cond: [over, at + window, '$until'] },
    }
    const options = { upsert: true, returnDocument: 'after', ...AT_ONCE } as const
    for (let tries = 0; ; tries += 1) {
      try {
        const after = await attempts.findOneAndUpdate(open, [{ $set: counted }], options)
        if (!after) throw unavailable('The MongoDB server did not tell what it counted.')
        return after.until
      } catch (error) {
        if (!isDuplicate(error)) throw error
        // Of two that insert a name at once one meets the other's document, which may have room.
        const found = await attempts.findOne({ _id: name })
        if (found && at < found.until && found.count >= count) return undefined
        if (tries > 100) throw error
      }
    }
  }

  async function take(counts: readonly AttemptCount[], at: Instant): Promise<AttemptOutcome> {
    const taken: { name: string; until: Instant }[] = []
    for (const count of counts) {
      const until = await takeOne(count, at)
      if (until === undefined) {
        await refund(attempts, { counts: taken })
        return { kind: 'refused', until: await latestEnd(counts, at) }
      }
      taken.push({ name: count.name, until })
    }
    return { kind: 'taken', attempt: { counts: taken } }
  }

  async function latestEnd(counts: readonly AttemptCount[], at: Instant): Promise<Instant> {
    const full = counts.map(({ name, limit }) => ({ _id: name, count: { $gte: limit.count } }))
    const found = await attempts.find({ $or: full }).toArray()
    return Math.max(at, ...found.map(({ until }) => until))
  }

  return {
    take: (counts, at) => run(() => take(counts, at)),
    refund: (attempt) => run(() => refund(attempts, attempt)),
    purge: (at, limit) =>
      run(() => removeFirst(attempts, { until: { $lte: at } }, { sort: { until: 1 }, limit })),
  }
}

async function refund(attempts: Database['attempts'], { counts }: Attempt): Promise<void> {
  const less = { $inc: { count: -1 } }
  await Promise.all(
    counts.map(({ name, until }) =>
      attempts.updateOne({ _id: name, until, count: { $gt: 0 } }, less, AT_ONCE),
    ),
  )
}
