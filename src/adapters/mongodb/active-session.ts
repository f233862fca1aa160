import type { Actor, KeyDigest, ActiveSession, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Database } from './database.js'
import { accountOf, sessionOf, type AccountDocument, type SessionDocument } from './documents.js'
import { isDriverError } from './driver-errors.js'
import { ENABLED } from './epochs.js'

type Match = { readonly _id: SessionId } | { readonly digests: KeyDigest }
type Joined = SessionDocument & { readonly accounts: readonly AccountDocument[] }
type Batch = { readonly cursor: { readonly firstBatch: readonly Joined[] } }
type Parts = Pick<Database, 'db' | 'sessions' | 'accounts'>

/**
 * Session and account in one read. The empty pipeline keeps MongoDB 6 from compiling the whole
 * query anew for each call, which costs its server twice the time.
 */
const WITH_ACCOUNT = {
  $lookup: { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'accounts', pipeline: [] },
}

/** The session, where it and its account let it live at this moment. */
export async function findActive(
  database: Parts,
  match: Match,
  at: Instant,
): Promise<ActiveSession | undefined> {
  const joined = await findJoined(database, match)
  if (!joined || at >= joined.expiresAt) return undefined
  const { accounts, ...document } = joined
  const owner = accounts.find((account) => keepsAlive(account, document))
  if (!owner) return undefined
  const active = { session: sessionOf(document), account: accountOf(owner) }
  if (!document.actor) return active
  const acting = await activeActor(database, document.actor)
  return acting && { ...active, actorRoles: acting.roles }
}

/**
 * The account that acts, while it lets the session live, with its roles. Asked only where there is
 * an actor: an epoch never comes back, so what is alive in this later look was alive in the one
 * before, and its roles are the newer ones.
 */
async function activeActor({ accounts }: Parts, { accountId, epoch }: Actor) {
  const acting = { _id: accountId, epoch, ...ENABLED }
  return (await accounts.findOne(acting, { projection: { roles: 1 } })) ?? undefined
}

/** The sessions that their actors let live. Asks only where one of them has an actor. */
export async function withActiveActors<Found extends Pick<SessionDocument, 'actor'>>(
  { accounts }: Pick<Database, 'accounts'>,
  sessions: readonly Found[],
): Promise<readonly Found[]> {
  const ids = new Set(sessions.flatMap(({ actor }) => (actor ? [actor.accountId] : [])))
  if (ids.size === 0) return sessions
  const enabled = { _id: { $in: [...ids] }, ...ENABLED }
  const found = await accounts.find(enabled, { projection: { epoch: 1 } }).toArray()
  const epochs = new Map(found.map(({ _id, epoch }) => [_id, epoch]))
  return sessions.filter(({ actor }) => !actor || epochs.get(actor.accountId) === actor.epoch)
}

/**
 * Every request that proves an identity comes here. The bare command costs a tenth less than the
 * driver's cursor, which has nothing to do for one document, but is not retried: where it fails,
 * because the primary has just changed, say, the cursor asks once more.
 */
async function findJoined({ db, sessions }: Parts, match: Match): Promise<Joined | undefined> {
  const pipeline = [{ $match: match }, WITH_ACCOUNT]
  try {
    const { cursor } = (await db.command({ aggregate: 'sessions', pipeline, cursor: {} })) as Batch
    return cursor.firstBatch[0]
  } catch (error) {
    if (!isDriverError(error)) throw error
    return (await sessions.aggregate<Joined>(pipeline).toArray())[0]
  }
}

function keepsAlive(account: AccountDocument, session: SessionDocument): boolean {
  return account.disabledAt === undefined && account.epoch === session.epoch
}
