import type { Instant, Milliseconds } from '../instant.js'
import {
  isPastEnd,
  openPrevious,
  type Generation,
  type KeyDigest,
  type PairId,
  type PreviousGeneration,
  type Session,
  type SessionId,
} from './session.js'

/** A request for the next generation of a session. */
export type RotationRequest = {
  readonly sessionId: SessionId
  /** The pair whose refresh token was presented. */
  readonly from: PairId
  /** The digest of the key in the cookie; `undefined` without a cookie. */
  readonly keyDigest: KeyDigest | undefined
  readonly at: Instant
  /** How long `from` may be used again to get the same new generation; if 0, any repeated use is a replay. */
  readonly grace: Milliseconds
  /** The generation that becomes current if this request rotates the session. Its number is the current number plus one. */
  readonly next: Generation
  /** The new proof of identity and its second factor; absent for a refresh, which keeps the previous proof and factor. */
  readonly confirmation?: Pick<Session, 'proved' | 'factor'>
  /**
   * The result of `Sessions.findById`, if known, so that the store need not read the session again. The outcome depends only on the stored
   * session.
   */
  readonly found?: Session
}

/** The result of rotating a session. */
export type Rotation =
  /** This request rotated the session. */
  | { readonly kind: 'rotated'; readonly session: Session }
  /** The token was used, apparently by another tab of the same browser; `session` has the current pair. */
  | { readonly kind: 'superseded'; readonly session: Session }
  /** The token was used before, by another client; this call has ended the session. */
  | { readonly kind: 'replayed' }
  /** The token is valid, but the cookie belongs to another session; nothing was changed. */
  | { readonly kind: 'mismatched' }
  /** There is no such session, or it has ended. */
  | { readonly kind: 'unknown' }

/**
 * Decides every refresh; `Sessions.rotate` returns its result. `session` is the session with the requested ID; it is `undefined` if no such
 * session exists, or if the session has ended because its account or the actor's account has changed. In one atomic step, a store reads the
 * session, decides and writes. For `rotated`, the store writes the `session`, and for `replayed`, it removes the session. For any other
 * result, the store writes nothing.
 *
 * 1. If there is no session or it has expired, the result is `unknown`.
 * 2. If `from` is the current pair, the result is `rotated` if `keyDigest` is the digest of the current key, or of the previous key within its
 *    window: only the browser of this login has these keys. With any other `keyDigest`, the result is `mismatched`. After `rotated`, the old
 *    generation becomes the previous generation until `at + grace`.
 * 3. Any other `from` was used before, however long ago. If `keyDigest` is the digest of the current key, or of the previous key within its
 *    window, the result is `superseded`: a suspended tab may have woken up, or several tabs may have refreshed together. A confirmation gets
 *    `superseded`: its `from` was read from the store, so another call must have rotated the session since.
 * 4. If `from` is the previous pair within its window, but the key is missing or different, the result is `mismatched`, because the browser
 *    may have lost the cookie.
 * 5. Otherwise, the result is `replayed`.
 *
 * A `grace` of 0 closes any window that an earlier request opened. A refresh with a used token then always gets `replayed`.
 */
export function decideRotation(session: Session | undefined, request: RotationRequest): Rotation {
  const { from, at, grace, confirmation } = request
  if (!session || isPastEnd(session, at)) return { kind: 'unknown' }
  const previous = grace > 0 ? openPrevious(session, at) : undefined
  const isKey = isKeyOf(session.current, previous, request.keyDigest)
  if (from === session.current.pairId) return isKey ? rotate(session, request) : { kind: 'mismatched' }
  if (confirmation || (grace > 0 && isKey)) return { kind: 'superseded', session }
  return { kind: from === previous?.pairId ? 'mismatched' : 'replayed' }
}

function isKeyOf(
  current: Generation,
  previous: PreviousGeneration | undefined,
  keyDigest: KeyDigest | undefined,
): boolean {
  return keyDigest !== undefined && [current.keyDigest, previous?.keyDigest].includes(keyDigest)
}

function rotate(session: Session, { next, at, grace, confirmation }: RotationRequest): Rotation {
  const { pairId, keyDigest } = session.current
  const previous = { pairId, keyDigest, until: endOfGrace(at, grace) }
  return { kind: 'rotated', session: { ...session, ...confirmation, current: { ...next }, previous } }
}

/**
 * Returns the end of a window that opens at `at`. Returns 0 if there is no grace period, so that the window is closed even for a process
 * with a slow clock.
 */
function endOfGrace(at: Instant, grace: Milliseconds): Instant {
  return grace > 0 ? at + grace : 0
}

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
 * Decides the outcome of every refresh of a stateless login; `Revocations.rotate` returns its result. In one atomic step, a store reads the
 * record, decides and writes. For `rotated`, the store writes the `pairs`, and for `replayed`, it revokes the login; both records apply
 * until the request's `until`. For any other result, the store writes nothing.
 *
 * 1. If the login is revoked, the result is `revoked`.
 * 2. If there is no record (this is the first refresh) or `from` is the current pair, the result is `rotated`, and `from` becomes the
 *    previous pair until `at + grace`.
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
