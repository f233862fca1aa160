import type { Instant, Milliseconds } from '../instant.js'
import {
  isPastEnd,
  openPrevious,
  type Generation,
  type KeyDigest,
  type PairId,
  type Session,
  type SessionId,
} from './session.js'

/** A request to give a session its next generation. */
export type RotationRequest = {
  readonly sessionId: SessionId
  /** The pair whose refresh token was presented. */
  readonly from: PairId
  /** Digest of the key in the cookie; `undefined` without a cookie. */
  readonly keyDigest: KeyDigest | undefined
  readonly at: Instant
  /** How long the previous generation stays valid for the same successor; with 0 every second use is a replay. */
  readonly grace: Milliseconds
  /** The current generation if this request rotates the session. Its number is the current number plus one. */
  readonly next: Generation
  /**
   * The session from `Sessions.findById`, if the caller has it, so that a store need not read it again to prepare the
   * write. Only the stored session decides whether it is written.
   */
  readonly found?: Session
}

/** Result of a request to rotate a session. */
export type Rotation =
  /** This request rotated the session; this is the new session. */
  | { readonly kind: 'rotated'; readonly session: Session }
  /** The token was spent, apparently by another tab of the same browser: the session has the current pair. */
  | { readonly kind: 'superseded'; readonly session: Session }
  /** The token was spent before, by another client; this call has ended the session. */
  | { readonly kind: 'replayed' }
  /** The token is valid, but the cookie belongs to another session; nothing was changed. */
  | { readonly kind: 'mismatched' }
  /** There is no such session, or it has ended. */
  | { readonly kind: 'unknown' }

/**
 * The rule of every refresh, and the answer of `Sessions.rotate`. `session` is the session with the requested ID, if its
 * accounts let it be active. In one atomic step a store reads the session, decides and writes: for `rotated` it stores
 * the `session`, for `replayed` it removes it; otherwise it writes nothing.
 *
 * 1. No session, or the session is past an end: `unknown`.
 * 2. `from` is the current pair: `rotated` if `keyDigest` is the digest of the current key, or of the previous key inside
 *    its window (only a browser of this login has these keys); otherwise `mismatched`. The earlier generation is previous
 *    until `at + grace`.
 * 3. Any other `from` is a spent pair, however old. With such a `keyDigest`: `superseded`; a tab slept, or several woke
 *    together.
 * 4. The previous pair inside its window, with another key or no key: `mismatched`, since the cookie may only be lost.
 * 5. Otherwise `replayed`.
 *
 * With a `grace` of 0 there is no window, even if an earlier request opened it, and every second use is `replayed`.
 */
export function decideRotation(session: Session | undefined, request: RotationRequest): Rotation {
  const { from, keyDigest, at, grace } = request
  if (!session || isPastEnd(session, at)) return { kind: 'unknown' }
  const { current } = session
  const previous = grace > 0 ? openPrevious(session, at) : undefined
  const isGood = keyDigest !== undefined && [current.keyDigest, previous?.keyDigest].includes(keyDigest)
  if (from === current.pairId) return isGood ? rotated(session, request) : { kind: 'mismatched' }
  if (grace > 0 && isGood) return { kind: 'superseded', session }
  return { kind: from === previous?.pairId ? 'mismatched' : 'replayed' }
}

function rotated(session: Session, { next, at, grace }: RotationRequest): Rotation {
  const { pairId, keyDigest } = session.current
  const previous = { pairId, keyDigest, until: endOfGrace(at, grace) }
  return { kind: 'rotated', session: { ...session, current: { ...next }, previous } }
}

/**
 * The end of a window that opens at `at`; 0 without grace, so that the window is closed even if another clock is slow.
 */
export function endOfGrace(at: Instant, grace: Milliseconds): Instant {
  return grace > 0 ? at + grace : 0
}
