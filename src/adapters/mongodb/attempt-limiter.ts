import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '../../domain/instant.js'
import type { AttemptCount, AttemptLimiter } from '../../ports/attempt-limiter.js'
import { unavailable } from '../../domain/refusal.js'
import type { Database } from './database.js'
import type { AttemptDocument } from './documents.js'
import { removeFirst } from './writes.js'
import { isDuplicate } from './errors.js'

/** A power failure may lose counts: the confirmation of one server is enough. */
const AT_ONCE = { writeConcern: { w: 1 } } as const
/** Reads also return counts that only one server has confirmed. */
const AS_COUNTED = { readConcern: { level: 'local' } } as const

/** The number of checks of a held place, and the first pause between them in milliseconds, which doubles each time. */
const LOOKS = 8
const PAUSE = 5

type Collection = Database['attempts']
type TakenCount = { readonly name: string; readonly until: Instant }

/**
 * Counts of attempts, one document for each name. An attempt is counted under its names one after the other,
 * and its places are provisional (`held`) until the last name has counted it. Another attempt waits for a
 * held place before it is refused.
 */
export function createAttempts({ attempts }: Database): AttemptLimiter {
  return {
    async take(counts, at) {
      // If a name is full even without held places, the attempt takes no place for which others would wait.
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
      // "!" is the character after the space.
      const named = names.map((name) => ({
        $or: [{ _id: name }, { _id: { $gte: `${name} `, $lt: `${name}!` } }],
      }))
      if (named.length > 0) await attempts.deleteMany({ $or: named }, AT_ONCE)
    },
    purge: (at, limit) =>
      removeFirst(attempts, { until: { $lte: at } }, { sort: { until: 1 }, limit, ...AS_COUNTED }),
  }
}

type Taking = { readonly at: Instant; readonly held: 0 | 1 }

/** The end of the count, or `undefined` if the name is full. */
async function takeOne(
  attempts: Collection,
  one: AttemptCount,
  taking: Taking,
): Promise<Instant | undefined> {
  for (let tries = 0, looks = 0; ; tries += 1) {
    try {
      return await counted(attempts, one, taking)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // A concurrent insert of the same name won; its document may have room.
      const found = await attempts.findOne({ _id: one.name }, AS_COUNTED)
      const isFree = !found || !isFull(found, one, taking.at)
      if (isFree && tries > 100) throw error
      if (isFree) continue
      // A process that has died holds its place until the window ends.
      if (looks === LOOKS || isFull(unheld(found), one, taking.at)) return undefined
      await pause(PAUSE * 2 ** looks)
      looks += 1
    }
  }
}

/**
 * One operation counts if the name is below its limit. If it is full, the filter finds nothing, and the upsert
 * fails with a duplicate key.
 */
async function counted(attempts: Collection, one: AttemptCount, { at, held }: Taking): Promise<Instant> {
  const { name, limit } = one
  const open = { _id: name, $or: [{ until: { $lte: at } }, { count: { $lt: limit.count } }] }
  const over = { $lte: [{ $ifNull: ['$until', at] }, at] }
  const set = {
    count: { $cond: [over, 1, { $add: ['$count', 1] }] },
    held: { $cond: [over, held, { $add: [{ $ifNull: ['$held', 0] }, held] }] },
    until: { $cond: [over, at + limit.window, '$until'] },
  }
  const options = { upsert: true, returnDocument: 'after', ...AT_ONCE } as const
  const after = await attempts.findOneAndUpdate(open, [{ $set: set }], options)
  if (!after) throw unavailable('The MongoDB server did not return the count.')
  return after.until
}

type Look = { readonly at: Instant; readonly seen: (document: AttemptDocument) => AttemptDocument }

/** When the last full name has room again; `undefined` if no name is full. */
async function latestEnd(
  attempts: Collection,
  counts: readonly AttemptCount[],
  { at, seen }: Look,
): Promise<Instant | undefined> {
  const found = await attempts.find({ _id: { $in: counts.map(({ name }) => name) } }, AS_COUNTED).toArray()
  const full = found.filter((document) =>
    counts.some((one) => one.name === document._id && isFull(seen(document), one, at)),
  )
  return full.length === 0 ? undefined : Math.max(...full.map(({ until }) => until))
}

/**
 * One command, the widest name first: a caller that finds room under a narrow name must not find a wider name
 * full because of an attempt that is already refunded.
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
  if (operations.length > 0) await attempts.bulkWrite(operations, { ordered: true, ...AT_ONCE })
}

function isFull({ count, until }: AttemptDocument, { limit }: AttemptCount, at: Instant): boolean {
  return at < until && count >= limit.count
}

/** The document without its held places, which may be taken back. */
function unheld(document: AttemptDocument): AttemptDocument {
  return { ...document, count: document.count - (document.held ?? 0) }
}
