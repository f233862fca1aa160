import type { Collection, Document, Filter } from 'mongodb'
import {
  decideRotation,
  endOfGrace,
  type Rotation,
  type RotationRequest,
} from '../../domain/identity/rotation.js'
import type { Session } from '../../domain/identity/session.js'
import type { Database } from './database.js'
import { sessionOf, type SessionDocument } from './documents.js'
import { isDriverError } from './driver-errors.js'
import { isOutcomeLost } from './errors.js'
import { findActive } from './active-session.js'

type Parts = Pick<Database, 'db' | 'sessions' | 'accounts'>

/** `majority` and the journal, as the client has it for the collections: a bare command takes nothing over. */
const CONFIRMED = { w: 'majority', j: true } as const

/**
 * The swap is what `decideRotation` calls `rotated`, in the words of the database. It succeeds for exactly one caller;
 * any other decides about the session as it has become. No account is in it: whatever ends the sessions of an account,
 * or those in which it acts, takes their documents away (see `bumpEpoch` and `openActive`). Where a crash in between
 * has left one, it may still be rotated, and is dead to every look-up as before.
 */
export async function rotate(database: Parts, request: RotationRequest): Promise<Rotation> {
  for (;;) {
    const after = await swap(database, request)
    if (after) return answerOf(sessionOf(after), request)
    const found = await findActive(database, { _id: request.sessionId }, request.at)
    const rotation = decideRotation(found?.session, request)
    if (rotation.kind === 'replayed') return await endReplayed(database.sessions, request)
    // It can be rotated after all: another request has rotated it to this very pair in between.
    if (rotation.kind !== 'rotated') return rotation
  }
}

/** Between two attempts of this request another tab may have gone on from the pair that the first one has made. */
function answerOf(session: Session, { next }: RotationRequest): Rotation {
  return { kind: session.current.pairId === next.pairId ? 'rotated' : 'superseded', session }
}

/**
 * The compare-and-swap of a refresh, one operation on one document: of all who present one
 * pair, one gets the session as it has become and every other one `undefined`.
 *
 * As a bare command it costs the service a tenth less, and the server about a fifth: what the driver may send again, the
 * server keeps an image of. Where it fails it is made once more by the driver: whichever of the two comes first, the
 * other finds another pair.
 */
async function swap({ db, sessions }: Parts, request: RotationRequest): Promise<SessionDocument | undefined> {
  if (request.keyDigest === undefined) return undefined
  const command = {
    findAndModify: 'sessions',
    query: filterOf(request),
    update: updateOf(request),
    new: true,
    writeConcern: CONFIRMED,
  }
  try {
    const { value } = (await db.command(command)) as { readonly value: SessionDocument | null }
    return value ?? undefined
  } catch (error) {
    if (!isDriverError(error)) throw error
    return await swapAgain(sessions, request)
  }
}

/** Where the first attempt was made and its answer lost, the pair tells: no other request has this one. */
async function swapAgain(
  sessions: Collection<SessionDocument>,
  request: RotationRequest,
): Promise<SessionDocument | undefined> {
  const { sessionId, next } = request
  try {
    const after = await sessions.findOneAndUpdate(filterOf(request), updateOf(request), {
      returnDocument: 'after',
    })
    if (after) return after
  } catch (error) {
    if (!isOutcomeLost(error)) throw error
  }
  const ours = [{ 'current.pairId': next.pairId }, { 'previous.pairId': next.pairId }]
  return (await sessions.findOne({ _id: sessionId, $or: ours }, { readPreference: 'primary' })) ?? undefined
}

function filterOf({ sessionId, from, keyDigest, at, grace }: RotationRequest): Filter<SessionDocument> {
  const isCurrentPair = { _id: sessionId, 'current.pairId': from, expiresAt: { $gt: at } }
  const holdsCurrent = { 'current.keyDigest': keyDigest }
  const holdsPrevious = { 'previous.keyDigest': keyDigest, 'previous.until': { $gt: at } }
  const holdsKey = grace > 0 ? { $or: [holdsCurrent, holdsPrevious] } : holdsCurrent
  return { ...isCurrentPair, ...holdsKey }
}

function updateOf({ next, at, grace }: RotationRequest): Document[] {
  return [
    {
      $set: {
        previous: {
          pairId: '$current.pairId',
          keyDigest: '$current.keyDigest',
          until: endOfGrace(at, grace),
        },
        digests: [{ $literal: next.keyDigest }, '$current.keyDigest'],
        expiresAt: { $min: ['$endsAt', next.idleEndsAt] },
        current: { $literal: next },
      },
    },
  ]
}

/** Of all who find the replay one ends the session: it is audited once. */
async function endReplayed(
  sessions: Collection<SessionDocument>,
  { sessionId }: RotationRequest,
): Promise<Rotation> {
  const { deletedCount } = await sessions.deleteOne({ _id: sessionId })
  return { kind: deletedCount === 1 ? 'replayed' : 'unknown' }
}
