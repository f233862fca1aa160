import type { Collection, Db, Document, Filter, UpdateFilter } from 'mongodb'
import { decideRotation, type Rotation, type RotationRequest } from '../../domain/identity/rotation.js'
import type { Session } from '../../domain/identity/session.js'
import { defined } from '../../domain/plain-data.js'
import { unavailable } from '../../domain/refusal.js'
import type { Database } from './database.js'
import { documentOfSession, sessionOf, type SessionDocument } from './documents.js'
import { isDriverError, isOutcomeLost } from './errors.js'
import type { FindActive } from './active-session.js'
import { batchCalls } from '../database-server.js'

type Parts = Pick<Database, 'db' | 'sessions'>
type UpdateReply = { readonly n: number; readonly writeErrors?: readonly Document[] }

/** Plain commands do not inherit the client's write concern. */
const CONFIRMED = { w: 'majority', j: true } as const

/** Limits the number of attempts; each repetition means that the session changed or that an outcome was lost. */
const MAX_TRIES = 50

type Swap = { readonly request: RotationRequest; readonly after: Session }

/** The outcome of one command with several swaps; `lost` if only some swaps succeeded, or if the result is unknown. */
type SwapResult = { readonly sent: ReadonlySet<Swap>; readonly outcome: 'all made' | 'none made' | 'lost' }

/**
 * Applies the outcome `rotated` of `decideRotation` with one write. The filter does not check the account, because a change that ends
 * sessions removes their documents (see `bumpEpoch` and `openActive`). After a crash, a refresh may rotate an ended session whose document
 * still exists, but no read finds such a session.
 *
 * The values to write come from the session in the request, which may be outdated. Token pairs never repeat, so the stored session is
 * unchanged if it still has the same current pair.
 */
export function createRotate({ db, sessions }: Parts, findActive: FindActive['byId']) {
  const batchSwap = batchCalls((swaps: readonly Swap[]) => swapAll(db, swaps))

  async function swap(request: RotationRequest, session: Session | undefined): Promise<Rotation | undefined> {
    const decided = decideRotation(session, request)
    if (decided.kind !== 'rotated') return undefined
    const mine = { request, after: decided.session }
    const { sent, outcome } = await batchSwap(mine)
    if (!sent.has(mine) || outcome === 'none made') return undefined
    return outcome === 'all made' ? decided : await swapAgain(sessions, mine)
  }

  return async (request: RotationRequest): Promise<Rotation> => {
    let { found } = request
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const rotated = await swap(request, found)
      if (rotated) return rotated
      found = (await findActive(request.sessionId, request.at))?.session
      const rotation = decideRotation(found, request)
      if (rotation.kind === 'replayed' && !(await isEnded(sessions, found))) continue
      // Here, `rotated` means that the session in the request was missing or outdated, so the swap is repeated.
      if (rotation.kind !== 'rotated') return rotation
    }
    throw unavailable('MongoDB repeatedly failed to report the outcome of a refresh.')
  }
}

/**
 * Swaps the token pairs of all refreshes in one event loop turn, with one operation per document. Uses a plain command, because for a
 * retryable write the server would also store an image of each changed document.
 */
async function swapAll(db: Db, swaps: readonly Swap[]): Promise<SwapResult> {
  const bySession = new Map(swaps.toReversed().map((swap) => [swap.request.sessionId, swap]))
  const sent = new Set(bySession.values())
  const updates = [...sent].map((swap) => ({ q: filterOf(swap.request), u: updateOf(swap) }))
  const command = { update: 'sessions', updates, ordered: false, writeConcern: CONFIRMED }
  try {
    const { n, writeErrors } = (await db.command(command)) as UpdateReply
    if (n === sent.size) return { sent, outcome: 'all made' }
    return { sent, outcome: n === 0 && !writeErrors ? 'none made' : 'lost' }
  } catch (error) {
    if (!isDriverError(error)) throw error
    return { sent, outcome: 'lost' }
  }
}

/**
 * Repeats the swap through the driver, which retries the write. At most one attempt succeeds, because a success replaces the token pair in
 * the filter.
 */
async function swapAgain(
  sessions: Collection<SessionDocument>,
  { request, after }: Swap,
): Promise<Rotation | undefined> {
  const { sessionId, next } = request
  try {
    const { matchedCount } = await sessions.updateOne(filterOf(request), updateOf({ after }))
    if (matchedCount === 1) return { kind: 'rotated', session: after }
  } catch (error) {
    if (!isOutcomeLost(error)) throw error
  }
  const ours = [{ 'current.pairId': next.pairId }, { 'previous.pairId': next.pairId }]
  const made = await sessions.findOne({ _id: sessionId, $or: ours }, { readPreference: 'primary' })
  if (!made) return undefined
  return { kind: made.current.pairId === next.pairId ? 'rotated' : 'superseded', session: sessionOf(made) }
}

function filterOf({ sessionId, from, keyDigest, at, grace }: RotationRequest): Filter<SessionDocument> {
  const isCurrentPair = { _id: sessionId, 'current.pairId': from, expiresAt: { $gt: at } }
  const holdsCurrent = { 'current.keyDigest': keyDigest }
  const holdsPrevious = { 'previous.keyDigest': keyDigest, 'previous.until': { $gt: at } }
  const holdsKey = grace > 0 ? { $or: [holdsCurrent, holdsPrevious] } : holdsCurrent
  return { ...isCurrentPair, ...holdsKey }
}

/** Sets only the fields that a refresh or a confirmation changes, because a later release may have added other fields. */
function updateOf({ after }: Pick<Swap, 'after'>): UpdateFilter<SessionDocument> {
  const { current, previous, digests, expiresAt, proved, factor } = documentOfSession(after)
  return { $set: { current, digests, expiresAt, ...defined({ previous, proved, factor }) } }
}

/**
 * Returns true to the one caller that ends the session, so that the replay is audited once. Returns false if the session has changed since
 * it was read, or if it was read from a primary that has stepped down.
 */
async function isEnded(sessions: Collection<SessionDocument>, found: Session | undefined): Promise<boolean> {
  if (!found) return false
  const asFound = { _id: found.id, 'current.pairId': found.current.pairId }
  return (await sessions.deleteOne(asFound)).deletedCount === 1
}
