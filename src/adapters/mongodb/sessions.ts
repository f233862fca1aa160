import type { Filter } from 'mongodb'
import { isFoundBy, type Session, type SessionId } from '../../domain/identity/session.js'
import type { SessionPageRequest, SessionPosition, Sessions } from '../../ports/sessions.js'
import type { Database } from './database.js'
import { insertOwn, removeFirst } from './writes.js'
import { bumpEpoch } from './epochs.js'
import { documentOfSession, sessionOf, type SessionDocument } from './documents.js'
import { createFindActive, withActiveActors } from './active-session.js'
import { createRotate } from './rotation.js'
import { SESSION_ORDER } from './ids.js'

/** The index of an account's sessions in the order of their pages. */
const IN_ORDER = { accountId: 1, createdAt: 1, _id: 1 } as const
const IN_PAGES = { createdAt: 1, _id: 1 } as const

/** What is to be ended is looked up where it was written, whatever DATABASE_URL prefers: a copy that is behind misses some. */
const FROM_PRIMARY = { readPreference: 'primary', projection: { _id: 1, expiresAt: 1 } } as const

/** Login sessions, one document each, which a refresh rewrites in place. */
export function createSessions(database: Database): Sessions {
  const { sessions, accounts, run } = database
  const findActive = createFindActive(database)
  const rotate = createRotate(database, findActive.byId)

  async function pageOf({ accountId, after, limit, at }: SessionPageRequest): Promise<readonly Session[]> {
    const owner = await accounts.findOne({ _id: accountId })
    if (!owner || owner.disabledAt !== undefined) return []
    const active = { accountId, epoch: owner.epoch, expiresAt: { $gt: at } }
    const page: Session[] = []
    // Once more only where a crash has left sessions behind whose actors do not let them live.
    for (let start = after; ;) {
      const missing = limit - page.length
      // Where nothing is active, the server takes the index of the ends for the better one, and keeps to it.
      const options = { sort: IN_PAGES, limit: missing, hint: IN_ORDER } as const
      const found = await sessions.find({ ...active, ...beyond(start) }, options).toArray()
      page.push(...(await withActiveActors(database, found)).map(sessionOf))
      if (found.length < missing || page.length >= limit) return page
      start = found.map(sessionOf).at(-1)
    }
  }

  return {
    open: (session) =>
      run(async () => {
        await openActive(database, session, {})
      }),
    openWithLimit: (session, most) =>
      run(async () => {
        const order = await database.nextId(SESSION_ORDER)
        const isOpen = await openActive(database, session, { order })
        return isOpen ? await endTooMany(database, { ...session, order }, most) : 0
      }),
    find: (keyDigest, at) =>
      run(async () => {
        const found = await findActive.byDigest(keyDigest, at)
        return found && isFoundBy(found.session, keyDigest, at) ? found : undefined
      }),
    findById: (id: SessionId, at) => run(() => findActive.byId(id, at)),
    pageOf: (request) => run(() => pageOf(request)),
    rotate: (request) => run(() => rotate(request)),
    end: (id) =>
      run(async () => ((await sessions.deleteOne({ _id: id })).deletedCount === 1 ? 'ended' : 'unknown')),
    endOne: (accountId, id) =>
      run(async () => {
        const { deletedCount } = await sessions.deleteOne({ _id: id, accountId })
        return deletedCount === 1 ? 'ended' : 'unknown'
      }),
    endOthers: (...others) => run(() => endOthers(database, ...others)),
    endAllOf: (accountId) => run(async () => (await bumpEpoch(database, { _id: accountId }, {}))?.ended),
    purge: (at, limit) =>
      run(() => removeFirst(sessions, { expiresAt: { $lte: at } }, { sort: { expiresAt: 1 }, limit })),
  }
}

/** A copy that is behind takes a session of the newest epoch for one that is over, and one of a removed account for active. */
const PRIMARY = 'primary'

/**
 * A login that lost against a change of its account, or of its actor's, opens a session of an epoch that is over. The
 * change has taken away what was there before it; what comes after it is taken away here. Tells whether it is open.
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
    { projection: { epoch: 1, disabledAt: 1 }, readPreference: PRIMARY },
  )
  const active = owner?.epoch === session.epoch && owner.disabledAt === undefined
  if (active && (await withActiveActors(database, [session], PRIMARY)).length === 1) return true
  await sessions.deleteOne({ _id: session.id })
  return false
}

type Ordered = Session & Required<Pick<SessionDocument, 'order'>>
type Placed = Pick<SessionDocument, '_id' | 'createdAt' | 'order'>

/**
 * Of several at once the last to look sees all of them, so no more are left than may be. Those of a later order are being
 * opened right now, and to them this one is earlier: it goes before them, or two would end each other.
 */
async function endTooMany(
  { sessions }: Database,
  { accountId, epoch, createdAt, order }: Ordered,
  most: number,
): Promise<number> {
  const own = { accountId, epoch, expiresAt: { $gt: createdAt }, actor: { $exists: false } }
  const projection = { _id: 1, createdAt: 1, order: 1 } as const
  const options = { sort: IN_PAGES, hint: IN_ORDER, readPreference: 'primary', projection } as const
  const found: Placed[] = await sessions.find(own, options).toArray()
  const earlier = found.filter((one) => orderOf(one) < order)
  const later = found.filter((one) => orderOf(one) >= order)
  const inTurn = [
    ...earlier.sort((one, other) => one.createdAt - other.createdAt || orderOf(one) - orderOf(other)),
    ...later.sort((one, other) => orderOf(one) - orderOf(other)),
  ]
  return await endThese(sessions, inTurn.slice(0, Math.max(0, found.length - most)))
}

/** One that was opened without a limit is earlier than all others. */
function orderOf({ order = 0 }: Placed): number {
  return order
}

/** Those that are there are looked up first: what is opened after one of them has gone is none of them. */
async function endOthers(
  { sessions }: Database,
  ...[accountId, keep, at]: Parameters<Sessions['endOthers']>
): Promise<number> {
  const all = { $or: [{ accountId }, { 'actor.accountId': accountId }] }
  const found = await sessions.find(all, FROM_PRIMARY).toArray()
  const others = found.filter(({ _id }) => _id !== keep)
  const active = others.filter(({ expiresAt }) => expiresAt > at)
  const over = others.filter(({ expiresAt }) => expiresAt <= at)
  const [ended] = await Promise.all([endThese(sessions, active), endThese(sessions, over)])
  return ended
}

async function endThese(
  sessions: Database['sessions'],
  these: readonly Pick<SessionDocument, '_id'>[],
): Promise<number> {
  if (these.length === 0) return 0
  return (await sessions.deleteMany({ _id: { $in: these.map(({ _id }) => _id) } })).deletedCount
}

/** Sessions that come after this position; all where there is none. */
function beyond(position: SessionPosition | undefined): Filter<SessionDocument> {
  if (!position) return {}
  const { createdAt, id } = position
  return { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gt: id } }] }
}
