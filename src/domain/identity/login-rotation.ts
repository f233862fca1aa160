import type { Instant, Milliseconds } from '../instant.js'
import { endOfGrace } from './rotation.js'
import type { Generation, PairId, PreviousGeneration, SessionId } from './session.js'

/** The data from which one pair of tokens can be signed again, to the byte, without storing the tokens. */
export type SignedPair = Pick<Generation, 'pairId' | 'kid' | 'issuedAt'>

/** The pairs of a login without a session after its first refresh. They are no secrets. */
export type LoginPairs = {
  readonly current: SignedPair
  /** The pair that made the last refresh, and until when it still gets the current pair. */
  readonly previous: Pick<PreviousGeneration, 'pairId' | 'until'>
}

/** The record of a login without a session: revoked, or its pairs. */
export type LoginRecord = {
  /** From then on no token of the login is valid, and the record does not count. */
  readonly until: Instant
  /** Present while the login is in force; absent if it is revoked. */
  readonly pairs?: LoginPairs | undefined
}

/** A request to give a login without a session its next pair of tokens. */
export type LoginRotationRequest = {
  readonly sessionId: SessionId
  /** The pair whose refresh token was presented. */
  readonly from: PairId
  /** The current pair if this request rotates the login; its ID is random, and therefore new. */
  readonly next: SignedPair
  readonly at: Instant
  /** How long `from` stays valid for the same successor; with 0 every second use is a replay. */
  readonly grace: Milliseconds
  /** The latest end of any token of the login. */
  readonly until: Instant
}

/** Result of a request to rotate a login without a session. */
export type LoginRotation =
  /** This request rotated the login; these are its new pairs. */
  | { readonly kind: 'rotated'; readonly pairs: LoginPairs }
  /** The token was spent a moment ago; these are the pairs that replaced it. */
  | { readonly kind: 'superseded'; readonly pairs: LoginPairs }
  /** The token was spent before; this call has revoked the login. */
  | { readonly kind: 'replayed' }
  /** The login is revoked; nothing was changed. */
  | { readonly kind: 'revoked' }

/**
 * The rule of every refresh of a login without a session, and the answer of `Revocations.rotate`. In one atomic step a
 * store reads the record, decides and writes: for `rotated` it stores the `pairs`, for `replayed` it revokes the login,
 * both until the request's `until`; otherwise it writes nothing.
 *
 * 1. The login is revoked: `revoked`.
 * 2. There is no record, so this is the first refresh, or `from` is the current pair: `rotated`. The earlier pair is
 *    previous until `at + grace`.
 * 3. `from` is the previous pair inside its window: `superseded`.
 * 4. Otherwise `from` is a spent pair, however old: `replayed`.
 *
 * Unlike in `decideRotation`, no cookie shows whether the same client comes back: the window alone decides. With a
 * `grace` of 0 there is no window, even if an earlier request opened it.
 */
export function decideLoginRotation(
  stored: LoginRecord | undefined,
  request: LoginRotationRequest,
): LoginRotation {
  const { from, at, grace } = request
  if (!stored || at >= stored.until) return { kind: 'rotated', pairs: pairsAfter(request) }
  const { pairs } = stored
  if (!pairs) return { kind: 'revoked' }
  if (from === pairs.current.pairId) return { kind: 'rotated', pairs: pairsAfter(request) }
  const { previous } = pairs
  const isInWindow = grace > 0 && from === previous.pairId && at < previous.until
  return isInWindow ? { kind: 'superseded', pairs } : { kind: 'replayed' }
}

export function pairsAfter({ from, next, at, grace }: LoginRotationRequest): LoginPairs {
  return { current: { ...next }, previous: { pairId: from, until: endOfGrace(at, grace) } }
}
