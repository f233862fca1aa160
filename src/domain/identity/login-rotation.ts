import type { Instant, Milliseconds } from '../instant.js'
import { endOfGrace } from './rotation.js'
import type { Generation, PairId, PreviousGeneration, SessionId } from './session.js'

/** What is needed to sign one pair of tokens again, to the byte, without storing them. */
export type SignedPair = Pick<Generation, 'pairId' | 'kid' | 'issuedAt'>

/** The pairs of a login without a session, once it was refreshed; neither is a secret. */
export type LoginPairs = {
  readonly current: SignedPair
  /** The pair that the last refresh was made with, and until when it still gets the current one. */
  readonly previous: Pick<PreviousGeneration, 'pairId' | 'until'>
}

/** What a store holds of a login without a session: that it is revoked, or its pairs. */
export type LoginRecord = {
  /** From then on no token of the login is good, and nothing of this counts. */
  readonly until: Instant
  /** There where the login is in force; a login that has none is revoked. */
  readonly pairs?: LoginPairs | undefined
}

/** One request to give a login without a session its next pair of tokens. */
export type LoginRotationRequest = {
  readonly sessionId: SessionId
  /** The pair whose refresh token was presented. */
  readonly from: PairId
  /** What becomes the current pair if this request rotates the login; its id is new by its randomness. */
  readonly next: SignedPair
  readonly at: Instant
  /** How long `from` stays good for the same successor; 0 where every second use is a replay. */
  readonly grace: Milliseconds
  /** The latest end of any token of the login. */
  readonly until: Instant
}

/** What became of a request to rotate a login without a session. */
export type LoginRotation =
  /** This request rotated the login; here are its pairs as they have become. */
  | { readonly kind: 'rotated'; readonly pairs: LoginPairs }
  /** The token was spent a moment ago: here are the pairs that this has led to. */
  | { readonly kind: 'superseded'; readonly pairs: LoginPairs }
  /** The token was spent before; the login has been revoked by this call. */
  | { readonly kind: 'replayed' }
  /** The login is revoked; nothing was changed. */
  | { readonly kind: 'revoked' }

/**
 * The rule of every refresh of a login without a session: what a request is to what is stored of the login. It is the
 * answer of `Revocations.rotate`, and says what a store must do in the one atomic step in which it has read that: for
 * `rotated` put the answer's `pairs` in its place, for `replayed` revoke the login, both until the request's `until`,
 * else nothing.
 *
 * 1. The login is revoked: `revoked`.
 * 2. Nothing is stored, so this is its first refresh, or `from` is the current pair: `rotated`. What was current is
 *    previous until `at + grace`.
 * 3. `from` is the previous pair inside its window: `superseded`.
 * 4. Else it is a spent one, however old: `replayed`.
 *
 * No cookie tells whether it is the same client that comes back, as it does for `decideRotation`: the window alone
 * decides. With a `grace` of 0 there is none, even if one was opened.
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

/** The pairs of a login that this request rotates. */
export function pairsAfter({ from, next, at, grace }: LoginRotationRequest): LoginPairs {
  return { current: { ...next }, previous: { pairId: from, until: endOfGrace(at, grace) } }
}
