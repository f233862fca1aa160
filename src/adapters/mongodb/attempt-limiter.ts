import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '../../domain/instant.js'
import type { AttemptCount, AttemptLimiter } from '../../ports/attempt-limiter.js'
import { unavailable } from '../../domain/refusal.js'
import type { Database } from './database.js'
import type { AttemptDocument } from './documents.js'
import { removeFirst } from './writes.js'
import { isDuplicate } from './errors.js'

/** These counts may be lost with a power failure: one server's word is enough. */
const AT_ONCE = { writeConcern: { w: 1 } } as const
/** And what one server has counted is looked at, though no other one may have it. */
const AS_COUNTED = { readConcern: { level: 'local' } } as const

/** How often a place that another attempt holds is looked at again; after so many milliseconds, and each time twice as many. */
const LOOKS = 8
const PAUSE = 5

type Collection = Database['attempts']
type Taken = { readonly name: string; readonly until: Instant }

/**
 * Counts of attempts, a document for each name. An attempt is counted under one name after the other; until it is
 * under the last one its places are held, and no other is refused by a place that is held: whether it stays is soon known.
 */
export function createAttempts({ attempts }: Database): AttemptLimiter {
  return {
    async take(counts, at) {
      // Where one is full for good nothing has to be held, which others would wait for.
      const end = await latestEnd(attempts, counts, { at, seen: unheld })
      if (end !== undefined) return { kind: 'refused', until: end }
      const taken: Taken[] = []
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
    purge: (at, limit) =>
      removeFirst(attempts, { until: { $lte: at } }, { sort: { until: 1 }, limit, ...AS_COUNTED }),
  }
}

type Taking = { readonly at: Instant; readonly held: 0 | 1 }

/** Until when it is counted; `undefined` where the name is full. */
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
      // Of two that insert a name at once one meets the other's document, which may have room.
      const found = await attempts.findOne({ _id: one.name }, AS_COUNTED)
      const isFree = !found || !isFull(found, one, taking.at)
      if (isFree && tries > 100) throw error
      if (isFree) continue
      // Of a process that has died a place is held until its window is over.
      if (looks === LOOKS || isFull(unheld(found), one, taking.at)) return undefined
      await pause(PAUSE * 2 ** looks)
      looks += 1
    }
  }
}

/**
 * One operation counts where the name has not reached its limit. Where it has, the filter finds nothing, and the insert
 * that then follows meets the document that is there.
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
  if (!after) throw unavailable('The MongoDB server did not tell what it counted.')
  return after.until
}

type Look = { readonly at: Instant; readonly seen: (document: AttemptDocument) => AttemptDocument }

/** When the last of these names that are full is so no more; `undefined` where none is. */
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
 * In one command, the widest name first: who finds room under a narrow one must not find a wider one full by an attempt
 * that is refunded already.
 */
async function change(
  attempts: Collection,
  taken: readonly Taken[],
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

/** What is counted without what may be taken back. */
function unheld(document: AttemptDocument): AttemptDocument {
  return { ...document, count: document.count - (document.held ?? 0) }
}
