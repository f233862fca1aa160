import type { Filter } from 'mongodb'
import { isFoundBy, type Session } from '../../domain/identity/session.js'
import type { SessionPosition, Sessions } from '../../ports/sessions.js'
import type { Database } from './database.js'
import { insertOwn, removeFirst, SESSION_ORDER, bumpEpoch } from './writes.js'
import { documentOfSession, sessionOf, type SessionDocument } from './documents.js'
import { createFindActive, withActiveActors } from './active-session.js'
import { createRotate } from './rotation.js'

const IN_ORDER = { accountId: 1, createdAt: 1, _id: 1 } as const
const IN_PAGES = { createdAt: 1, _id: 1 } as const

/** Reads from the primary, because a lagging secondary may lack the newest sessions. */
const FROM_PRIMARY = { readPreference: 'primary', projection: { _id: 1, expiresAt: 1 } } as const

/** Stores sessions. */
export function createSessions(database: Database): Sessions {
  const { sessions, accounts } = database
  const findActive = createFindActive(database)

  return {
    async open(session) {
      await openActive(database, session, {})
    },
    async openWithLimit(session, max) {
      const order = await database.nextId(SESSION_ORDER)
      const isOpen = await openActive(database, session, { order })
      return isOpen ? await endTooMany(database, { ...session, order }, max) : 0
    },
    async find(keyDigest, at) {
      const found = await findActive.byDigest(keyDigest, at)
      return found && isFoundBy(found.session, keyDigest, at) ? found : undefined
    },
    findById: findActive.byId,
    async pageOf({ accountId, after, limit, at }) {
      const owner = await accounts.findOne({ _id: accountId })
      if (!owner || owner.disabledAt !== undefined) return []
      const active = { accountId, epoch: owner.epoch, expiresAt: { $gt: at } }
      const page: Session[] = []
      // The loop repeats only if a crash has left inactive impersonation sessions behind.
      for (let start = after; ;) {
        const missing = limit - page.length
        // Without a hint, the server would choose a different index when no session is active, and would cache that plan.
        const options = { sort: IN_PAGES, limit: missing, hint: IN_ORDER } as const
        const found = await sessions.find({ ...active, ...afterPosition(start) }, options).toArray()
        page.push(...(await withActiveActors(database, found)).map(sessionOf))
        if (found.length < missing || page.length >= limit) return page
        start = found.map(sessionOf).at(-1)
      }
    },
    rotate: createRotate(database, findActive.byId),
    end: async (id) => ((await sessions.deleteOne({ _id: id })).deletedCount === 1 ? 'ended' : 'unknown'),
    async endOne(accountId, id) {
      const { deletedCount } = await sessions.deleteOne({ _id: id, accountId })
      return deletedCount === 1 ? 'ended' : 'unknown'
    },
    /** Reads the sessions before ending them, so that sessions opened later survive. */
    async endOthers(accountId, keep, at) {
      const all = { $or: [{ accountId }, { 'actor.accountId': accountId }] }
      const found = await sessions.find(all, FROM_PRIMARY).toArray()
      const others = found.filter(({ _id }) => _id !== keep)
      const active = others.filter(({ expiresAt }) => expiresAt > at)
      const expired = others.filter(({ expiresAt }) => expiresAt <= at)
      const [ended] = await Promise.all([endAll(sessions, active), endAll(sessions, expired)])
      return ended
    },
    endAllOf: async (accountId) => (await bumpEpoch(database, { _id: accountId }, {}))?.ended,
    purge: (at, limit) =>
      removeFirst(sessions, { expiresAt: { $lte: at } }, { sort: { expiresAt: 1 }, limit }),
  }
}

/**
 * Opens a session, unless the session has an old epoch because its account or actor changed concurrently. In that case, removes the new
 * session and returns false, because the concurrent change removed only the earlier sessions.
 */
async function openActive(
  database: Database,
  session: Session,
  more: Pick<SessionDocument, 'order'>,
): Promise<boolean> {
  const { sessions, accounts } = database
  await insertOwn(sessions, { ...documentOfSession(session), ...more })
  const owner = await accounts.findOne(
    { _id: session.accountId },
    { projection: { epoch: 1, disabledAt: 1 }, readPreference: 'primary' },
  )
  const active = owner?.epoch === session.epoch && owner.disabledAt === undefined
  if (active && (await withActiveActors(database, [session], 'primary')).length === 1) return true
  await sessions.deleteOne({ _id: session.id })
  return false
}
type SessionPlace = Pick<SessionDocument, '_id' | 'createdAt' | 'order'>

/**
 * Ends the oldest sessions that exceed the limit. The last of several concurrent calls sees all sessions, so at most `max` sessions remain.
 * Ends sessions with a higher `order` last: they are being opened by concurrent logins, and two logins must not end each other's sessions.
 */
async function endTooMany(
  { sessions }: Database,
  { accountId, epoch, createdAt, order }: Session & Required<Pick<SessionDocument, 'order'>>,
  max: number,
): Promise<number> {
  const own = { accountId, epoch, expiresAt: { $gt: createdAt }, actor: { $exists: false } }
  const projection = { _id: 1, createdAt: 1, order: 1 } as const
  const options = { sort: IN_PAGES, hint: IN_ORDER, readPreference: 'primary', projection } as const
  const found: SessionPlace[] = await sessions.find(own, options).toArray()
  const earlier = found.filter((one) => orderOf(one) < order)
  const later = found.filter((one) => orderOf(one) >= order)
  const oldestFirst = [
    ...earlier.sort((one, other) => one.createdAt - other.createdAt || orderOf(one) - orderOf(other)),
    ...later.sort((one, other) => orderOf(one) - orderOf(other)),
  ]
  return await endAll(sessions, oldestFirst.slice(0, Math.max(0, found.length - max)))
}

function orderOf({ order = 0 }: SessionPlace): number {
  return order
}

async function endAll(
  sessions: Database['sessions'],
  these: readonly Pick<SessionDocument, '_id'>[],
): Promise<number> {
  if (these.length === 0) return 0
  return (await sessions.deleteMany({ _id: { $in: these.map(({ _id }) => _id) } })).deletedCount
}

function afterPosition(position: SessionPosition | undefined): Filter<SessionDocument> {
  if (!position) return {}
  const { createdAt, id } = position
  return { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gt: id } }] }
}
