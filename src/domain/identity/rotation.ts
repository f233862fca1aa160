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

/** One request to rotate a session: to give it the next generation. */
export type RotationRequest = {
  readonly sessionId: SessionId
  /** The pair whose refresh token was presented. */
  readonly from: PairId
  /** Digest of the key that the cookie held; `undefined` where none came. */
  readonly keyDigest: KeyDigest | undefined
  readonly at: Instant
  /** How long the previous generation stays good for the same successor; 0 where every second use is a replay. */
  readonly grace: Milliseconds
  /** What the session becomes if this request rotates it. Its number is the current one plus one. */
  readonly next: Generation
  /**
   * The session as `Sessions.findById` gave it, where the caller has it: a store need not read it again to know what
   * to write. Whether it is written, what is in the store at that moment decides alone.
   */
  readonly found?: Session
}

/** What became of a request to rotate a session. */
export type Rotation =
  /** This request rotated the session; here it is as it has become. */
  | { readonly kind: 'rotated'; readonly session: Session }
  /** The token was spent, by another tab of the same browser as far as can be seen: here is the current pair. */
  | { readonly kind: 'superseded'; readonly session: Session }
  /** The token was spent before, and not by this browser; the session has been ended by this call. */
  | { readonly kind: 'replayed' }
  /** The token is good, the cookie is not this session's; nothing was changed. */
  | { readonly kind: 'mismatched' }
  /** No such session, or it has ended. */
  | { readonly kind: 'unknown' }

/**
 * The rule of every refresh: what a request is to the session of its id, where there is one and its accounts let it
 * live. It is the answer of `Sessions.rotate`, and says what a store must do in the one atomic step in which it has
 * read the session: for `rotated` put the answer's `session` in its place, for `replayed` remove it, else nothing.
 *
 * 1. No session, or one past an end of it: `unknown`.
 * 2. `from` is the current pair: `rotated` where `keyDigest` is good, which is the current key's or the previous one's
 *    inside its window (only a browser of this login has them); else `mismatched`. What was current is previous until
 *    `at + grace`.
 * 3. Any other `from` is a spent one, however old. With a good `keyDigest`: `superseded`; a tab slept, or all woke at
 *    once.
 * 4. The previous pair inside its window, with another key or none: `mismatched`, it may only have lost its cookie.
 * 5. Else `replayed`.
 *
 * With a `grace` of 0 there is no window, even if one was opened, and every second use is `replayed`, whatever comes
 * with it.
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

/** The session with `next` as its current generation and what was current as its previous one. */
function rotated(session: Session, { next, at, grace }: RotationRequest): Rotation {
  const { pairId, keyDigest } = session.current
  const previous = { pairId, keyDigest, until: endOfGrace(at, grace) }
  return { kind: 'rotated', session: { ...session, current: { ...next }, previous } }
}

/** When a window ends that opens at `at`: without grace there is none, however early a clock reads. */
export function endOfGrace(at: Instant, grace: Milliseconds): Instant {
  return grace > 0 ? at + grace : 0
}
