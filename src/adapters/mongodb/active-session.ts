import type { Filter } from 'mongodb'
import type { Actor, KeyDigest, ActiveSession, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { CONFIRMED_READS, type Database } from './database.js'
import { accountOf, sessionOf, type AccountDocument, type SessionDocument } from './documents.js'
import { isDriverError } from './errors.js'
import { ENABLED } from './writes.js'
import { batchCalls } from '../database-server.js'

type SessionWithAccounts = SessionDocument & { readonly accounts: readonly AccountDocument[] }
type Batch = { readonly cursor: { readonly firstBatch: readonly SessionWithAccounts[] } }
type Parts = Pick<Database, 'db' | 'sessions' | 'accounts' | 'read'>

/** Reads a session and its account. Without the empty pipeline, MongoDB 6 compiles the query on each call, which doubles the cost. */
const WITH_ACCOUNT = {
  $lookup: { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'accounts', pipeline: [] },
}

export type FindActive = ReturnType<typeof createFindActive>

/** Creates functions that find a session that has not expired and has not been ended by a change to its account or its actor. */
export function createFindActive(database: Parts) {
  const byIds = batchCalls(async (ids: readonly SessionId[]) => {
    const found = await findJoined(database, { _id: { $in: distinct(ids) } })
    return ownCopies(ids, new Map(found.map((one) => [one._id, one])))
  })
  const byDigests = batchCalls(async (digests: readonly KeyDigest[]) => {
    const found = await findJoined(database, { digests: { $in: distinct(digests) } })
    return ownCopies(digests, new Map(found.flatMap((one) => one.digests.map((digest) => [digest, one]))))
  })
  return {
    byId: async (id: SessionId, at: Instant) => await activeOf(database, (await byIds(id))(id), at),
    /** Looks up the current or the previous key; the caller checks whether the previous key is still valid. */
    byDigest: async (digest: KeyDigest, at: Instant) =>
      await activeOf(database, (await byDigests(digest))(digest), at),
  }
}

/** Returns a function that finds a document by key, and that returns copies if several keys lead to the same document. */
function ownCopies<Key>(
  keys: readonly Key[],
  found: ReadonlyMap<Key, SessionWithAccounts>,
): (key: Key) => SessionWithAccounts | undefined {
  const documents = new Set(keys.map((key) => found.get(key)))
  if (documents.size === keys.length) return (key) => found.get(key)
  return (key) => structuredClone(found.get(key))
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}

async function activeOf(
  { accounts }: Pick<Database, 'accounts'>,
  joined: SessionWithAccounts | undefined,
  at: Instant,
): Promise<ActiveSession | undefined> {
  if (!joined || at >= joined.expiresAt) return undefined
  const { accounts: owners, ...document } = joined
  const owner = owners.find(({ disabledAt, epoch }) => disabledAt === undefined && epoch === document.epoch)
  if (!owner) return undefined
  const active = { session: sessionOf(document), account: accountOf(owner) }
  if (!document.actor) return active
  const acting = await activeActor(accounts, document.actor)
  if (!acting) return undefined
  const { roles: actorRoles, factor } = acting
  const actorFactor = factor?.activeSince
  return { ...active, actorRoles, ...(actorFactor !== undefined && { actorFactor }) }
}

/** The account may be read after the session: epochs never repeat, so an account with this epoch had it when the session was read. */
async function activeActor(accounts: Parts['accounts'], { accountId, epoch }: Actor) {
  const acting = { _id: accountId, epoch, ...ENABLED }
  return (await accounts.findOne(acting, { projection: { roles: 1, 'factor.activeSince': 1 } })) ?? undefined
}

/** Removes impersonation sessions from the list if the actor is disabled, deleted or has a new epoch. */
export async function withActiveActors<Doc extends Pick<SessionDocument, 'actor'>>(
  { accounts }: Pick<Database, 'accounts'>,
  sessions: readonly Doc[],
  readPreference?: 'primary',
): Promise<readonly Doc[]> {
  const ids = new Set(sessions.flatMap(({ actor }) => (actor ? [actor.accountId] : [])))
  if (ids.size === 0) return sessions
  const enabled = { _id: { $in: [...ids] }, ...ENABLED }
  const options = { projection: { epoch: 1 }, ...(readPreference && { readPreference }) }
  const found = await accounts.find(enabled, options).toArray()
  const epochs = new Map(found.map(({ _id, epoch }) => [_id, epoch]))
  return sessions.filter(({ actor }) => !actor || epochs.get(actor.accountId) === actor.epoch)
}

/**
 * This query runs once per authenticated request. A plain command costs a tenth less than a driver cursor, but the driver does not retry
 * the command.
 */
async function findJoined(
  { db, sessions, read }: Parts,
  match: Filter<SessionDocument>,
): Promise<readonly SessionWithAccounts[]> {
  const pipeline = [{ $match: match }, WITH_ACCOUNT]
  try {
    const command = { aggregate: 'sessions', pipeline, cursor: {}, readConcern: CONFIRMED_READS }
    const { cursor } = (await read(() => db.command(command))) as Batch
    return cursor.firstBatch
  } catch (error) {
    if (!isDriverError(error)) throw error
    return await sessions.aggregate<SessionWithAccounts>(pipeline).toArray()
  }
}
