import type { Instant, Milliseconds } from '../instant.js'
import { endOfGrace } from './rotation.js'
import type { Generation, PairId, PreviousGeneration, SessionId } from './session.js'

/** The data from which a pair of tokens can be signed again, byte for byte, so that the tokens need not be stored. */
export type SignedPair = Pick<Generation, 'pairId' | 'kid' | 'issuedAt'>

/** The token pairs of a stateless login after its first refresh. The pairs contain no secret. */
export type LoginPairs = {
  readonly current: SignedPair
  /** The pair that was refreshed last. Until `until`, refreshing this pair again returns the current pair. */
  readonly previous: Pick<PreviousGeneration, 'pairId' | 'until'>
}

/** The stored record of a stateless login: either its token pairs or its revocation. */
export type LoginRecord = {
  /** The time from which the record has no effect, because all tokens of the login have expired. */
  readonly until: Instant
  /** Absent if the login is revoked. */
  readonly pairs?: LoginPairs | undefined
}

/** A request for the next token pair of a stateless login. */
export type LoginRotationRequest = {
  readonly sessionId: SessionId
  /** The pair whose refresh token was presented. */
  readonly from: PairId
  /** Becomes the current pair if this request rotates the login. The ID of this pair is random and therefore unique. */
  readonly next: SignedPair
  readonly at: Instant
  /** How long `from` may be used again to get the same new pair; if 0, any repeated use is a replay. */
  readonly grace: Milliseconds
  /** When the last token of the login expires. */
  readonly until: Instant
}

/** The result of rotating a stateless login. */
export type LoginRotation =
  /** This request rotated the login. */
  | { readonly kind: 'rotated'; readonly pairs: LoginPairs }
  /** The token was used a moment ago; `pairs` has the pair that replaced it. */
  | { readonly kind: 'superseded'; readonly pairs: LoginPairs }
  /** The token was used before; this call has revoked the login. */
  | { readonly kind: 'replayed' }
  /** The login was already revoked; nothing was changed. */
  | { readonly kind: 'revoked' }

/**
 * Decides every refresh of a stateless login; `Revocations.rotate` returns its result. In one atomic step, a store reads the record,
 * decides and writes. For `rotated`, the store writes the `pairs`, and for `replayed`, it revokes the login; both records apply until the
 * request's `until`. For any other result, the store writes nothing.
 *
 * 1. If the login is revoked, the result is `revoked`.
 * 2. If there is no record (this is the first refresh) or `from` is the current pair, the result is `rotated`. In this case, `from` becomes
 *    the previous pair until `at + grace`.
 * 3. If `from` is the previous pair and its window is still open, the result is `superseded`.
 * 4. Otherwise `from` was used before, however long ago, and the result is `replayed`.
 *
 * Stateless logins have no cookie, so, unlike in `decideRotation`, only the window matters. A `grace` of 0 also closes a window that an
 * earlier request opened.
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
