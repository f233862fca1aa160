import type { Instant, Milliseconds } from '../instant.js'
import type { Generation, KeyDigest, PairId, Session } from './session.js'

/** What somebody presents who wants a session to move on by one generation. */
export type RotationClaim = {
  /** The pair whose refresh token was presented. */
  readonly from: PairId
  /** Digest of the key that the cookie held; `undefined` where none came. */
  readonly keyDigest: KeyDigest | undefined
  readonly at: Instant
  /** How long the generation that is left stays good for the same successor; 0 where every second use is a replay. */
  readonly grace: Milliseconds
}

/** What such a claim is to a session that has not ended. */
export type RotationKind = 'rotated' | 'superseded' | 'replayed' | 'mismatched'

/**
 * The rule of every refresh. A key is good while it is the current one, or the previous one inside its window: only
 * a browser of this login has it. With it the current token moves the session on, and a spent one
 * gets the current pair, however old it is: a tab slept, or all woke at once. A spent token with any
 * other key or none is a replay, but for the previous one inside its window, which may only have lost its cookie.
 * Without grace every second use of a token is a replay, whatever comes with it.
 */
export function judgeRotation(session: Session, { from, keyDigest, at, grace }: RotationClaim): RotationKind {
  const { current } = session
  const previous = grace > 0 ? openPrevious(session, at) : undefined
  const isGood = keyDigest !== undefined && [current.keyDigest, previous?.keyDigest].includes(keyDigest)
  if (from === current.pairId) return isGood ? 'rotated' : 'mismatched'
  if (grace > 0 && isGood) return 'superseded'
  return from === previous?.pairId ? 'mismatched' : 'replayed'
}

/** The previous generation while its window is open. */
export function openPrevious({ previous }: Session, at: Instant): Session['previous'] {
  return previous && at < previous.until ? previous : undefined
}

/** When a window ends that opens at `at`: without grace there is none, however early a clock reads. */
export function endOfGrace(at: Instant, grace: Milliseconds): Instant {
  return grace > 0 ? at + grace : 0
}

/** The session with `next` as its current generation and what was current as its previous one. */
export function rotated(
  session: Session,
  { next, at, grace }: Pick<RotationClaim, 'at' | 'grace'> & { readonly next: Generation },
): Session {
  const { pairId, keyDigest } = session.current
  const previous = { pairId, keyDigest, until: endOfGrace(at, grace) }
  return { ...session, current: { ...next }, previous }
}
