import type { Filter } from 'mongodb'
import { isFoundBy, type Session, type SessionId } from '../../domain/identity/session.js'
import type { SessionPageRequest, SessionPosition, Sessions } from '../../ports/sessions.js'
import type { Database } from './database.js'
import { insertOwn, removeFirst } from './writes.js'
import { bumpEpoch } from './epochs.js'
import { documentOfSession, sessionOf, type SessionDocument } from './documents.js'
import { createFindActive, withActiveActors } from './active-session.js'
import { createRotate } from './rotation.js'

/** Login sessions, one document each, which a refresh rewrites in place. */
export function createSessions(database: Database): Sessions {
  const { sessions, accounts, run } = database
  const findActive = createFindActive(database)
  const rotate = createRotate(database, findActive.byId)

  async function pageOf({ accountId, after, limit, at }: SessionPageRequest): Promise<readonly Session[]> {
    const owner = await accounts.findOne({ _id: accountId })
    if (!owner || owner.disabledAt !== undefined) return []
    const active = { accountId, epoch: owner.epoch, expiresAt: { $gt: at } }
    const sort = { createdAt: 1, _id: 1 } as const
    const page: Session[] = []
    // Once more only where a crash has left sessions behind whose actors do not let them live.
    for (let start = after; ;) {
      const missing = limit - page.length
      // Where nothing is active, the server takes the index of the ends for the better one, and keeps to it.
      const options = { sort, limit: missing, hint: { accountId: 1, ...sort } } as const
      const found = await sessions.find({ ...active, ...beyond(start) }, options).toArray()
      page.push(...(await withActiveActors(database, found)).map(sessionOf))
      if (found.length < missing || page.length >= limit) return page
      start = found.map(sessionOf).at(-1)
    }
  }

  return {
    open: (session) =>
      run(async () => {
        await openActive(database, session)
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
    endAllOf: (accountId) => run(async () => (await bumpEpoch(database, { _id: accountId }, {}))?.ended),
    purge: (at, limit) =>
      run(() => removeFirst(sessions, { expiresAt: { $lte: at } }, { sort: { expiresAt: 1 }, limit })),
  }
}

/**
 * A login that lost against a change of its account, or of its actor's, opens a session of an epoch that is over. The
 * change has taken away what was there before it; what comes after it is taken away here.
 */
async function openActive(database: Database, session: Session): Promise<void> {
  const { sessions, accounts } = database
  await insertOwn(sessions, documentOfSession(session))
  const owner = await accounts.findOne(
    { _id: session.accountId },
    { projection: { epoch: 1, disabledAt: 1 } },
  )
  const active = owner?.epoch === session.epoch && owner.disabledAt === undefined
  if (active && (await withActiveActors(database, [session])).length === 1) return
  await sessions.deleteOne({ _id: session.id })
}

/** Sessions that come after this position; all where there is none. */
function beyond(position: SessionPosition | undefined): Filter<SessionDocument> {
  if (!position) return {}
  const { createdAt, id } = position
  return { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gt: id } }] }
}
