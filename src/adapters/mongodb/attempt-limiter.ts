import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '../../domain/instant.js'
import type { AttemptCount, AttemptLimiter } from '../../ports/attempt-limiter.js'
import { unavailable } from '../../domain/refusal.js'
import type { Database } from './database.js'
import type { AttemptDocument } from './documents.js'
import { removeFirst } from './writes.js'
import { isDuplicate } from './errors.js'

/** Writes are confirmed by one server only, because losing counts in a power failure is acceptable. */
const ONE_SERVER = { writeConcern: { w: 1 } } as const
const LOCAL_READ = { readConcern: { level: 'local' } } as const

/** Number of times that a held attempt is checked, and the first pause between checks in milliseconds; the pause doubles each time. */
const CHECKS = 8
const PAUSE = 5

type Collection = Database['attempts']
type TakenCount = { readonly name: string; readonly until: Instant }

/**
 * Counts attempts in one document per name. An attempt is counted under each of its names in turn; the counts are provisional (`held`)
 * until the attempt is counted under the last name. If a name is at its limit only because of
 * held attempts, the attempt waits until they are confirmed or refunded.
 */
export function createAttempts({ attempts }: Database): AttemptLimiter {
  return {
    async take(counts, at) {
      // If a name is at its limit even without held attempts, the attempt is rejected without being held, so that no other attempt waits
      // for it.
      const end = await latestEnd(attempts, counts, { at, seen: unheld })
      if (end !== undefined) return { kind: 'refused', until: end }
      const taken: TakenCount[] = []
      for (const [index, count] of counts.entries()) {
        const until = await takeOne(attempts, count, { at, held: index < counts.length - 1 ? 1 : 0 })
        if (until === undefined) {
          await change(attempts, taken, { count: -1, held: -1 })
          return {
            kind: 'refused',
            until: (await latestEnd(attempts, counts, { at, seen: (document) => document })) ?? at,
          }
        }
        taken.push({ name: count.name, until })
      }
      await change(attempts, taken.slice(0, -1), { held: -1 })
      return { kind: 'taken', attempt: { counts: taken } }
    },
    refund: ({ counts }) => change(attempts, counts, { count: -1 }),
    clear: async (names) => {
      // Also matches names that begin with this name and a space: in ASCII, "!" follows the space.
      const named = names.map((name) => ({
        $or: [{ _id: name }, { _id: { $gte: `${name} `, $lt: `${name}!` } }],
      }))
      if (named.length > 0) await attempts.deleteMany({ $or: named }, ONE_SERVER)
    },
    purge: (at, limit) =>
      removeFirst(attempts, { until: { $lte: at } }, { sort: { until: 1 }, limit, ...LOCAL_READ }),
  }
}

type NewAttempt = { readonly at: Instant; readonly held: 0 | 1 }

/** Returns the end of the window, or `undefined` if the name is at its limit. */
async function takeOne(
  attempts: Collection,
  one: AttemptCount,
  taking: NewAttempt,
): Promise<Instant | undefined> {
  for (let tries = 0, checks = 0; ; tries += 1) {
    try {
      return await countAttempt(attempts, one, taking)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // A concurrent insert of the same name succeeded first; its document may still be below the limit.
      const found = await attempts.findOne({ _id: one.name }, LOCAL_READ)
      const isFree = !found || !isFull(found, one, taking.at)
      if (isFree && tries > 100) throw error
      if (isFree) continue
      // The held attempt of a killed process remains until the window ends.
      if (checks === CHECKS || isFull(unheld(found), one, taking.at)) return undefined
      await pause(PAUSE * 2 ** checks)
      checks += 1
    }
  }
}

/** If the name is at its limit, the filter matches nothing, and the upsert fails with a duplicate key error. */
async function countAttempt(
  attempts: Collection,
  one: AttemptCount,
  { at, held }: NewAttempt,
): Promise<Instant> {
  const { name, limit } = one
  const open = { _id: name, $or: [{ until: { $lte: at } }, { count: { $lt: limit.count } }] }
  const isOver = { $lte: [{ $ifNull: ['$until', at] }, at] }
  const set = {
    count: { $cond: [isOver, 1, { $add: ['$count', 1] }] },
    held: { $cond: [isOver, held, { $add: [{ $ifNull: ['$held', 0] }, held] }] },
    until: { $cond: [isOver, at + limit.window, '$until'] },
  }
  const options = { upsert: true, returnDocument: 'after', ...ONE_SERVER } as const
  const after = await attempts.findOneAndUpdate(open, [{ $set: set }], options)
  if (!after) throw unavailable('The MongoDB server did not return the count.')
  return after.until
}

async function latestEnd(
  attempts: Collection,
  counts: readonly AttemptCount[],
  { at, seen }: { readonly at: Instant; readonly seen: (document: AttemptDocument) => AttemptDocument },
): Promise<Instant | undefined> {
  const found = await attempts.find({ _id: { $in: counts.map(({ name }) => name) } }, LOCAL_READ).toArray()
  const full = found.filter((document) =>
    counts.some((one) => one.name === document._id && isFull(seen(document), one, at)),
  )
  return full.length === 0 ? undefined : Math.max(...full.map(({ until }) => until))
}

/**
 * Changes all counts in one command, starting with the broadest name. In the opposite order, a partly refunded attempt could still count
 * under a broad name, and a caller below the limit of its narrow name would be rejected.
 */
async function change(
  attempts: Collection,
  taken: readonly TakenCount[],
  by: Partial<Record<'count' | 'held', -1>>,
): Promise<void> {
  const isCounted = Object.fromEntries(Object.keys(by).map((field) => [field, { $gt: 0 }]))
  const operations = taken.toReversed().map(({ name, until }) => ({
    updateOne: { filter: { _id: name, until, ...isCounted }, update: { $inc: by } },
  }))
  if (operations.length > 0) await attempts.bulkWrite(operations, { ordered: true, ...ONE_SERVER })
}

function isFull({ count, until }: AttemptDocument, { limit }: AttemptCount, at: Instant): boolean {
  return at < until && count >= limit.count
}

function unheld(document: AttemptDocument): AttemptDocument {
  return { ...document, count: document.count - (document.held ?? 0) }
}
