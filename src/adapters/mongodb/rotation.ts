import type { Collection, Db, Document, Filter, UpdateFilter } from 'mongodb'
import { decideRotation, type Rotation, type RotationRequest } from '../../domain/identity/rotation.js'
import type { Session } from '../../domain/identity/session.js'
import { unavailable } from '../../domain/refusal.js'
import type { Database } from './database.js'
import { documentOfSession, sessionOf, type SessionDocument } from './documents.js'
import { isDriverError } from './driver-errors.js'
import { isOutcomeLost } from './errors.js'
import type { FindActive } from './active-session.js'
import { oncePerTurn } from './once-per-turn.js'

type Parts = Pick<Database, 'db' | 'sessions'>
type UpdateReply = { readonly n: number; readonly writeErrors?: readonly Document[] }

/** `majority` and the journal, as the client has it for the collections: a bare command takes nothing over. */
const CONFIRMED = { w: 'majority', j: true } as const

/** More than other refreshes can make necessary: each turn needs a change of the session, or a lost outcome, in between. */
const TURNS = 50

/** One request, and its session as it becomes where this request rotates it. */
type Swap = { readonly request: RotationRequest; readonly after: Session }

/** What one command has made of the swaps that were `sent` with it: `lost` where some were made, or none knows. */
type Swapped = { readonly sent: ReadonlySet<Swap>; readonly outcome: 'all made' | 'none made' | 'lost' }

/**
 * The swap is what `decideRotation` calls `rotated`, in the words of the database. It succeeds for exactly one caller;
 * any other decides about the session as it has become. No account is in it: whatever ends the sessions of an account,
 * or those in which it acts, takes their documents away (see `bumpEpoch` and `openActive`). Where a crash in between
 * has left one, it may still be rotated, and is dead to every look-up as before.
 *
 * A session that came with the request says only what the swap is to write, and nothing of whether it is made: pairs
 * never come back, so a request that finds its pair there finds the session as it was found before.
 */
export function createRotate({ db, sessions }: Parts, findActive: FindActive['byId']) {
  const swapInTurn = oncePerTurn((swaps: readonly Swap[]) => swapAll(db, swaps))

  async function swap(request: RotationRequest, session: Session | undefined): Promise<Rotation | undefined> {
    const decided = decideRotation(session, request)
    if (decided.kind !== 'rotated') return undefined
    const mine = { request, after: decided.session }
    const { sent, outcome } = await swapInTurn(mine)
    if (!sent.has(mine) || outcome === 'none made') return undefined
    return outcome === 'all made' ? decided : await swapAgain(sessions, mine)
  }

  return async (request: RotationRequest): Promise<Rotation> => {
    let { found } = request
    for (let turn = 0; turn < TURNS; turn += 1) {
      const rotated = await swap(request, found)
      if (rotated) return rotated
      found = (await findActive(request.sessionId, request.at))?.session
      const rotation = decideRotation(found, request)
      if (rotation.kind === 'replayed' && !(await isEnded(sessions, found))) continue
      // Else it can be rotated: no session came with the request, or another one.
      if (rotation.kind !== 'rotated') return rotation
    }
    throw unavailable('MongoDB reported no outcome of a refresh, however often it was asked.')
  }
}

/**
 * The compare-and-swaps of all refreshes of one turn of the event loop, one operation on one document each: of all who
 * present one pair, one makes it. Of those of one session only the first is sent: the others are to see what it has done.
 *
 * As a bare command, because what the driver may send again, the server keeps an image of.
 */
async function swapAll(db: Db, swaps: readonly Swap[]): Promise<Swapped> {
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
 * Made once more by the driver, which tries again itself: whichever comes first, the other finds another pair. Where it
 * was made before, the pair tells: no other request has this one. Between the two another tab may have gone on from it.
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

/** Only what a refresh changes: the rest of a document may be of a later release. */
function updateOf({ after }: Pick<Swap, 'after'>): UpdateFilter<SessionDocument> {
  const { current, previous, digests, expiresAt } = documentOfSession(after)
  return { $set: { current, digests, expiresAt, ...(previous && { previous }) } }
}

/**
 * Of all who find the replay one ends the session: it is audited once. Where the session has become another one since it
 * was found, or was found by a primary that is none any more, the request is judged again.
 */
async function isEnded(sessions: Collection<SessionDocument>, found: Session | undefined): Promise<boolean> {
  if (!found) return false
  const asFound = { _id: found.id, 'current.pairId': found.current.pairId }
  return (await sessions.deleteOne(asFound)).deletedCount === 1
}
