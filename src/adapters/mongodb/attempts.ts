import type { Instant } from '../../domain/instant.js'
import type { Attempt, AttemptLimit, AttemptLimiter, AttemptOutcome } from '../../ports/attempt-limiter.js'
import type { Database } from './database.js'
import { removeFirst } from './remove-first.js'
import { isDuplicate } from './faults.js'

/** Nobody misses these counts after a power failure: one server's word is enough. */
const AT_ONCE = { writeConcern: { w: 1 } } as const

/** Counts of attempts, a document for each name. */
export function createAttempts({ attempts, ask }: Database): AttemptLimiter {
  /**
   * One operation counts where the name has not reached its limit. Where it has, the filter finds
   * nothing, and the insert that then follows meets the document that is there.
   */
  async function takeOne(
    name: string,
    { count, window }: AttemptLimit,
    at: Instant,
  ): Promise<Instant | undefined> {
    const open = { _id: name, $or: [{ until: { $lte: at } }, { count: { $lt: count } }] }
    const over = { $lte: [{ $ifNull: ['$until', at] }, at] }
    const counted = {
      count: { $cond: [over, 1, { $add: ['$count', 1] }] },
      until: { $cond: [over, at + window, '$until'] },
    }
    const options = { upsert: true, returnDocument: 'after', ...AT_ONCE } as const
    for (let tries = 0; ; tries += 1) {
      try {
        return (await attempts.findOneAndUpdate(open, [{ $set: counted }], options))?.until
      } catch (error) {
        if (!isDuplicate(error)) throw error
        // Of two that insert a name at once one meets the other's document, which may have room.
        const found = await attempts.findOne({ _id: name })
        if (found && at < found.until && found.count >= count) return undefined
        if (tries > 100) throw error
      }
    }
  }

  async function take(names: readonly string[], limit: AttemptLimit, at: Instant): Promise<AttemptOutcome> {
    const counts: { name: string; until: Instant }[] = []
    for (const name of names) {
      const until = await takeOne(name, limit, at)
      if (until === undefined) {
        await giveBack(attempts, { counts })
        return { kind: 'refused', until: await latestEnd(names, limit, at) }
      }
      counts.push({ name, until })
    }
    return { kind: 'taken', attempt: { counts } }
  }

  async function latestEnd(names: readonly string[], { count }: AttemptLimit, at: Instant): Promise<Instant> {
    const full = await attempts.find({ _id: { $in: [...names] }, count: { $gte: count } }).toArray()
    return Math.max(at, ...full.map(({ until }) => until))
  }

  return {
    take: (names, limit, at) => ask(() => take(names, limit, at)),
    giveBack: (attempt) => ask(() => giveBack(attempts, attempt)),
    purge: (at, limit) =>
      ask(() => removeFirst(attempts, { until: { $lte: at } }, { sort: { until: 1 }, limit })),
  }
}

async function giveBack(attempts: Database['attempts'], { counts }: Attempt): Promise<void> {
  const back = { $inc: { count: -1 } }
  await Promise.all(
    counts.map(({ name, until }) =>
      attempts.updateOne({ _id: name, until, count: { $gt: 0 } }, back, AT_ONCE),
    ),
  )
}
