import type { AccountId } from '../domain/identity/account.js'
import type { Rotation, RotationRequest } from '../domain/identity/rotation.js'
import type { KeyDigest, ActiveSession, Session, SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

/** The place of one session among those of its account. */
export type SessionPosition = Pick<Session, 'createdAt' | 'id'>

/** One page of an account's sessions. */
export type SessionPageRequest = {
  readonly accountId: AccountId
  /** The position of the last session of the page before; it need not be there any more. */
  readonly after?: SessionPosition
  readonly limit: number
  readonly at: Instant
}

/**
 * Login sessions. A session is active at `at` while `at` is before both its absolute end and
 * its current generation's idle end, and its account exists, is not disabled and has the epoch
 * that the session was opened in; where it has an actor, the actor's account must exist, not be
 * disabled and have the actor's epoch too. Whatever is not active is absent from every answer below.
 * The store holds digests of keys only. What is handed out is a copy, or frozen
 * throughout: then the same object may be handed out again while nothing is written.
 */
export type Sessions = {
  /**
   * Stores a session that login made; its id and digest are new by their randomness. Of one that its account, or its
   * actor's, does not let be active any more nothing is kept: it may have been removed meanwhile, and a session tells
   * where its login came from.
   */
  open(session: Session): Promise<void>
  /**
   * The same where an account may have no more than `most` sessions, at least 1: also ends the oldest, by `createdAt`, then
   * `id`, of its others that are active at the `createdAt` of this one, until with this one there are no more. Those with an
   * actor do not count and stay. Of those that are opened at once each may be one of the others to the next: as many are
   * active as may be when all have returned, and no more. Returns how many it has ended.
   */
  openWithLimit(session: Session, most: number): Promise<number>
  /**
   * The active session with this current key, or with this previous key before `previous.until`,
   * with its account and roles, and with those of its actor where it has one, in ONE read.
   */
  find(keyDigest: KeyDigest, at: Instant): Promise<ActiveSession | undefined>
  /** The active session of this id, with what `find` gives, in one read. */
  findById(id: SessionId, at: Instant): Promise<ActiveSession | undefined>
  /**
   * Active sessions of an account in the order of `createdAt`, then `id` (by code unit), at most
   * `limit`, from an index: the cost is that of the page and of what is not active any more.
   */
  pageOf(request: SessionPageRequest): Promise<readonly Session[]>
  /**
   * Does what `decideRotation` says of the active session, as one compare-and-swap in one row or document: stores the
   * session that was `rotated`, removes the one that was `replayed`, and writes nothing else. Without grace what was
   * current has no window: not even for a clock that reads earlier than the winner's.
   * Of any number of callers with one `from`, in any number of processes, exactly one gets `rotated`.
   */
  rotate(request: RotationRequest): Promise<Rotation>
  /** After it returns no `find` finds the session and no `rotate` succeeds. Twice is harmless. */
  end(id: SessionId): Promise<'ended' | 'unknown'>
  /** The same where the session is of this account; one of another account is `unknown`, and stays. */
  endOne(accountId: AccountId, id: SessionId): Promise<'ended' | 'unknown'>
  /**
   * Ends the sessions of the account, and those in which it acts, but the one with the id `keep`. Every one that was there
   * when this began is dead when it returns; none dies that began after any effect of this could be seen. Bumps no epoch. Returns how many of
   * them were active at `at`; of any number of callers at once each session is counted by one.
   */
  endOthers(accountId: AccountId, keep: SessionId, at: Instant): Promise<number>
  /**
   * Ends all sessions of the account, and those in which it acts, at ONE point in time: one write
   * bumps the account's epoch and changes nothing else of it. Every session and refresh token of an
   * older epoch is dead when this returns; one that was opened in the new epoch lives on, also
   * where it was opened before this returns, so that no login dies that began after any effect of
   * this could be seen. Returns how many of the account's own sessions there were; `undefined` where
   * there is no such account. `Accounts.setPassword`, `setDisabled` and `consumeResetToken` end
   * sessions in the same way.
   */
  endAllOf(accountId: AccountId): Promise<number | undefined>
  /**
   * Removes what is not active any more at `at` by its ends; returns how many. At most `limit` in one call; it may
   * return with fewer once the signal is aborted, which a store that has to look at more than it removes heeds.
   */
  purge(at: Instant, limit: number, signal?: AbortSignal): Promise<number>
}
