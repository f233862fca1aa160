import type { Collection } from 'mongodb'
import {
  decideRotation,
  endOfGrace,
  type Rotation,
  type RotationRequest,
} from '../../domain/identity/rotation.js'
import type { Database } from './database.js'
import { sessionOf, type SessionDocument } from './documents.js'
import { isOutcomeLost } from './errors.js'
import { findActive } from './active-session.js'

/**
 * The swap is what `decideRotation` calls `rotated`, in the words of the database. It succeeds for exactly one caller;
 * any other decides about the session as it has become. No account is in it: whatever ends the sessions of an account,
 * or those in which it acts, takes their documents away (see `bumpEpoch` and `openActive`). Where a crash in between
 * has left one, it may still be rotated, and is dead to every look-up as before.
 */
export async function rotate(
  database: Pick<Database, 'db' | 'sessions' | 'accounts'>,
  request: RotationRequest,
): Promise<Rotation> {
  for (;;) {
    const after = await swap(database.sessions, request).catch((error: unknown) =>
      rotatedBefore(database.sessions, request, error),
    )
    if (after) return { kind: 'rotated', session: sessionOf(after) }
    const found = await findActive(database, { _id: request.sessionId }, request.at)
    const rotation = decideRotation(found?.session, request)
    if (rotation.kind === 'replayed') return await endReplayed(database.sessions, request)
    // It can be rotated after all: another request has rotated it to this very pair in between.
    if (rotation.kind !== 'rotated') return rotation
  }
}

/**
 * The compare-and-swap of a refresh, one operation on one document: of all who present one
 * pair, one gets the session as it has become and every other one `undefined`.
 */
async function swap(
  sessions: Collection<SessionDocument>,
  { sessionId, from, keyDigest, next, at, grace }: RotationRequest,
): Promise<SessionDocument | undefined> {
  if (keyDigest === undefined) return undefined
  const isCurrentPair = { _id: sessionId, 'current.pairId': from, expiresAt: { $gt: at } }
  const holdsCurrent = { 'current.keyDigest': keyDigest }
  const holdsPrevious = { 'previous.keyDigest': keyDigest, 'previous.until': { $gt: at } }
  const holdsKey = grace > 0 ? { $or: [holdsCurrent, holdsPrevious] } : holdsCurrent
  const after = await sessions.findOneAndUpdate(
    { ...isCurrentPair, ...holdsKey },
    [
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
    ],
    { returnDocument: 'after' },
  )
  return after ?? undefined
}

/** Of all who find the replay one ends the session: it is audited once. */
async function endReplayed(
  sessions: Collection<SessionDocument>,
  { sessionId }: RotationRequest,
): Promise<Rotation> {
  const { deletedCount } = await sessions.deleteOne({ _id: sessionId })
  return { kind: deletedCount === 1 ? 'replayed' : 'unknown' }
}

/** Where the answer of the swap was lost, the pair tells whether it was made: no other request has this one. */
async function rotatedBefore(
  sessions: Collection<SessionDocument>,
  { sessionId, next }: RotationRequest,
  error: unknown,
): Promise<SessionDocument> {
  const moved = isOutcomeLost(error)
    ? await sessions.findOne({ _id: sessionId, 'current.pairId': next.pairId })
    : undefined
  if (!moved) throw error
  return moved
}
