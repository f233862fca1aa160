import type { Instant } from '../../domain/instant.js'
import type { Revocations } from '../../ports/sessions.js'
import type { Database } from './database.js'
import { ENABLED, removeFirst, upserting, insertOwn } from './writes.js'
import type { Collection, UpdateFilter } from 'mongodb'
import {
  decideLoginRotation,
  pairsAfter,
  type LoginRotation,
  type LoginRotationRequest,
} from '../../domain/identity/rotation.js'
import type { RevocationDocument } from './documents.js'
import { isDuplicate, isOutcomeLost } from './errors.js'

/** Stores revoked logins and the current token pairs of stateless mode. */
export function createRevocations({ accounts, revocations }: Database): Revocations {
  return {
    async isRevoked({ sessionId, accountId, epoch }, at) {
      const ids = { $project: { _id: 1 } }
      const isRevoked = [{ $match: { _id: sessionId, until: { $gt: at }, pairs: { $exists: false } } }, ids]
      const [account] = await accounts
        .aggregate<{ revoked: unknown[] }>([
          { $match: { _id: accountId, epoch, ...ENABLED } },
          ids,
          { $lookup: { from: revocations.collectionName, pipeline: isRevoked, as: 'revoked' } },
        ])
        .toArray()
      return account === undefined || account.revoked.length > 0
    },
    rotate: (request) => rotateLogin(revocations, request),
    async revoke(sessionId, until) {
      const outcome = await upserting(() =>
        revocations.updateOne({ _id: sessionId }, revoking(until), { upsert: true }),
      )
      return outcome.upsertedCount + outcome.modifiedCount > 0 ? 'revoked' : 'unchanged'
    },
    purge: (at, limit) => removeFirst(revocations, { until: { $lte: at } }, { sort: { until: 1 }, limit }),
  }
}

/** Keeps the later end time of two revocations, and removes the token pairs. */
function revoking(until: Instant) {
  const hasPairs = { $gt: ['$pairs', null] }
  const later = { $cond: [hasPairs, until, { $max: ['$until', until] }] }
  return [{ $set: { until: later } }, { $unset: 'pairs' }]
}

type Logins = Collection<RevocationDocument>

/** `lost` is the error if the server applied an earlier attempt but no longer knows the result. */
type Swap = { readonly after?: LoginRotation | undefined; readonly lost?: Error }

/** Applies the outcome `rotated` of `decideLoginRotation` in one write. */
async function rotateLogin(logins: Logins, request: LoginRotationRequest): Promise<LoginRotation> {
  for (;;) {
    const { after, lost } = await swap(logins, request)
    if (after) return after
    const stored =
      (await logins.findOne({ _id: request.sessionId }, { readPreference: 'primary' })) ?? undefined
    const own = ownOf(stored, request)
    if (own) return own
    const rotation = decideLoginRotation(stored, request)
    if (rotation.kind === 'superseded' || rotation.kind === 'revoked') return rotation
    // An earlier attempt of this request may have used the token pair, so the use does not count as a replay.
    if (lost !== undefined) throw lost
    if (rotation.kind === 'replayed') {
      if (await isRevoked(logins, stored, request)) return rotation
      continue
    }
    if (await begin(logins, stored, request)) return rotation
  }
}

/** Detects an earlier attempt whose reply was lost: the login then has the token pair of this request. */
function ownOf(
  stored: RevocationDocument | undefined,
  { next }: LoginRotationRequest,
): LoginRotation | undefined {
  if (!stored?.pairs) return undefined
  const { pairs } = stored
  if (pairs.current.pairId === next.pairId) return { kind: 'rotated', pairs }
  return pairs.previous.pairId === next.pairId ? { kind: 'superseded', pairs } : undefined
}

async function swap(logins: Logins, request: LoginRotationRequest): Promise<Swap> {
  const { sessionId, from, at } = request
  const isCurrent = { _id: sessionId, 'pairs.current.pairId': from, until: { $gt: at } }
  try {
    const after = await logins.findOneAndUpdate(
      isCurrent,
      { $set: contentOf(request) },
      { returnDocument: 'after' },
    )
    return { after: after?.pairs && { kind: 'rotated', pairs: after.pairs } }
  } catch (error) {
    if (isOutcomeLost(error)) return { lost: error }
    throw error
  }
}

/** Stores a login's first refresh, and replaces an expired document. Returns false if a concurrent request stored a refresh first. */
async function begin(
  logins: Logins,
  stored: RevocationDocument | undefined,
  request: LoginRotationRequest,
): Promise<boolean> {
  const { sessionId, at } = request
  if (stored) {
    const isOver = { _id: sessionId, until: { $lte: at } }
    return (await logins.replaceOne(isOver, contentOf(request))).modifiedCount === 1
  }
  try {
    await insertOwn(logins, { _id: sessionId, ...contentOf(request) })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

function contentOf(request: LoginRotationRequest): Required<Pick<RevocationDocument, 'until' | 'pairs'>> {
  return { until: request.until, pairs: pairsAfter(request) }
}

/** Returns true to the one caller that revokes the login, so that the replay is audited once. */
async function isRevoked(
  logins: Logins,
  stored: RevocationDocument | undefined,
  { sessionId, until }: LoginRotationRequest,
): Promise<boolean> {
  if (!stored?.pairs) return false
  const asFound = { _id: sessionId, 'pairs.current.pairId': stored.pairs.current.pairId }
  const revocation: UpdateFilter<RevocationDocument> = { $set: { until }, $unset: { pairs: true } }
  return (await logins.updateOne(asFound, revocation)).modifiedCount === 1
}
