import type { Filter } from 'mongodb'
import type { Actor, KeyDigest, ActiveSession, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { CONFIRMED_READS, type Database } from './database.js'
import { accountOf, sessionOf, type AccountDocument, type SessionDocument } from './documents.js'
import { isDriverError } from './driver-errors.js'
import { ENABLED } from './epochs.js'
import { oncePerTurn } from './once-per-turn.js'

type Joined = SessionDocument & { readonly accounts: readonly AccountDocument[] }
type Batch = { readonly cursor: { readonly firstBatch: readonly Joined[] } }
type Parts = Pick<Database, 'db' | 'sessions' | 'accounts' | 'read'>

/**
 * Session and account in one read. The empty pipeline keeps MongoDB 6 from compiling the whole
 * query anew for each call, which costs its server twice the time.
 */
const WITH_ACCOUNT = {
  $lookup: { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'accounts', pipeline: [] },
}

/** Finds a session, where it and its account let it live at this moment. */
export type FindActive = {
  readonly byId: (id: SessionId, at: Instant) => Promise<ActiveSession | undefined>
  /** By its current key or the one before it, whose window is not judged. */
  readonly byDigest: (digest: KeyDigest, at: Instant) => Promise<ActiveSession | undefined>
}

/** One command finds all that are looked for in one turn of the event loop. */
export function createFindActive(database: Parts): FindActive {
  const byIds = oncePerTurn(async (ids: readonly SessionId[]) => {
    const found = await findJoined(database, { _id: { $in: distinct(ids) } })
    return ownCopies(ids, new Map(found.map((one) => [one._id, one])))
  })
  const byDigests = oncePerTurn(async (digests: readonly KeyDigest[]) => {
    const found = await findJoined(database, { digests: { $in: distinct(digests) } })
    return ownCopies(digests, new Map(found.flatMap((one) => one.digests.map((digest) => [digest, one]))))
  })
  return {
    byId: async (id, at) => await activeOf(database, (await byIds(id))(id), at),
    byDigest: async (digest, at) => await activeOf(database, (await byDigests(digest))(digest), at),
  }
}

/** What was found for a key. Where two may have asked for one document, each gets a copy. */
function ownCopies<Key>(
  keys: readonly Key[],
  found: ReadonlyMap<Key, Joined>,
): (key: Key) => Joined | undefined {
  const documents = new Set(keys.map((key) => found.get(key)))
  if (documents.size === keys.length) return (key) => found.get(key)
  return (key) => structuredClone(found.get(key))
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}

async function activeOf(
  { accounts }: Pick<Database, 'accounts'>,
  joined: Joined | undefined,
  at: Instant,
): Promise<ActiveSession | undefined> {
  if (!joined || at >= joined.expiresAt) return undefined
  const { accounts: owners, ...document } = joined
  const owner = owners.find((account) => keepsAlive(account, document))
  if (!owner) return undefined
  const active = { session: sessionOf(document), account: accountOf(owner) }
  if (!document.actor) return active
  const acting = await activeActor(accounts, document.actor)
  return acting && { ...active, actorRoles: acting.roles }
}

/**
 * The account that acts, while it lets the session live, with its roles. Asked only where there is
 * an actor: an epoch never comes back, so what is alive in this later look was alive in the one
 * before, and its roles are the newer ones.
 */
async function activeActor(accounts: Parts['accounts'], { accountId, epoch }: Actor) {
  const acting = { _id: accountId, epoch, ...ENABLED }
  return (await accounts.findOne(acting, { projection: { roles: 1 } })) ?? undefined
}

/** The sessions that their actors let live. Asks only where one of them has an actor. */
export async function withActiveActors<Found extends Pick<SessionDocument, 'actor'>>(
  { accounts }: Pick<Database, 'accounts'>,
  sessions: readonly Found[],
  readPreference?: 'primary',
): Promise<readonly Found[]> {
  const ids = new Set(sessions.flatMap(({ actor }) => (actor ? [actor.accountId] : [])))
  if (ids.size === 0) return sessions
  const enabled = { _id: { $in: [...ids] }, ...ENABLED }
  const options = { projection: { epoch: 1 }, ...(readPreference && { readPreference }) }
  const found = await accounts.find(enabled, options).toArray()
  const epochs = new Map(found.map(({ _id, epoch }) => [_id, epoch]))
  return sessions.filter(({ actor }) => !actor || epochs.get(actor.accountId) === actor.epoch)
}

/**
 * Every request that proves an identity comes here. The bare command costs a tenth less than the
 * driver's cursor, which has nothing to do for one batch, but is not retried: where it fails,
 * because the primary has just changed, say, the cursor asks once more.
 */
async function findJoined(
  { db, sessions, read }: Parts,
  match: Filter<SessionDocument>,
): Promise<readonly Joined[]> {
  const pipeline = [{ $match: match }, WITH_ACCOUNT]
  try {
    const command = { aggregate: 'sessions', pipeline, cursor: {}, readConcern: CONFIRMED_READS }
    const { cursor } = (await read(() => db.command(command))) as Batch
    return cursor.firstBatch
  } catch (error) {
    if (!isDriverError(error)) throw error
    return await sessions.aggregate<Joined>(pipeline).toArray()
  }
}

function keepsAlive(account: AccountDocument, session: SessionDocument): boolean {
  return account.disabledAt === undefined && account.epoch === session.epoch
}
