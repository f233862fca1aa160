import type { AccountId } from '../domain/identity/account.js'
import type { Rotation, RotationRequest } from '../domain/identity/rotation.js'
import type { KeyDigest, ActiveSession, Session, SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

/** Position of a session among the sessions of its account. */
export type SessionPosition = Pick<Session, 'createdAt' | 'id'>

/** One page of an account's sessions. */
export type SessionPageRequest = {
  readonly accountId: AccountId
  /** Position of the last session of the previous page; the session may be gone. */
  readonly after?: SessionPosition
  readonly limit: number
  readonly at: Instant
}

/**
 * Login sessions. A session is active at `at` if `at` is before its absolute end and before the idle end of its current
 * generation, and its account exists, is not disabled and has the epoch of the session. The account of its actor, if it
 * has an actor, must exist, not be disabled and have the epoch of the actor. Inactive sessions are absent from every
 * answer. The store holds only digests of keys. Answers are copies, or deeply frozen; a frozen object may be returned
 * again until its data changes.
 */
export type Sessions = {
  /**
   * Stores the session of a login; its ID and digest are random, so they are new. Stores nothing if its account, or the
   * account of its actor, prevents it from being active: the account may have been removed in the meantime.
   */
  open(session: Session): Promise<void>
  /**
   * As `open`, for an account that may have at most `most` sessions, at least 1. Also ends its oldest other sessions, by
   * `createdAt`, then `id`, that are active at the `createdAt` of this session, until the limit holds. Sessions with an
   * actor do not count and stay. Concurrent calls may end each other's sessions: when all have returned, exactly `most`
   * are active. Returns the number of ended sessions.
   */
  openWithLimit(session: Session, most: number): Promise<number>
  /**
   * The active session with this current key, or with this previous key before `previous.until`, with its account and
   * roles and, if it has an actor, the roles of the actor. ONE read.
   */
  find(keyDigest: KeyDigest, at: Instant): Promise<ActiveSession | undefined>
  /** The active session with this ID, in the form of `find`. ONE read. */
  findById(id: SessionId, at: Instant): Promise<ActiveSession | undefined>
  /**
   * Active sessions of an account by `createdAt`, then `id` (by code unit), at most `limit`. Uses an index: the cost
   * depends only on the page and on inactive sessions.
   */
  pageOf(request: SessionPageRequest): Promise<readonly Session[]>
  /**
   * Applies `decideRotation` to the active session, as one compare-and-swap of one row or document: stores the session if
   * `rotated`, removes it if `replayed`, and otherwise writes nothing. Without grace the previous generation has no
   * window, not even for a clock that is behind the winner's clock. Any number of callers with one `from`, in any number
   * of processes: exactly one gets `rotated`.
   */
  rotate(request: RotationRequest): Promise<Rotation>
  /** When it resolves, no `find` finds the session and no `rotate` succeeds. A second call is harmless. */
  end(id: SessionId): Promise<'ended' | 'unknown'>
  /** As `end`, if the session belongs to this account; otherwise `unknown`, and the session stays. */
  endOne(accountId: AccountId, id: SessionId): Promise<'ended' | 'unknown'>
  /**
   * Ends the sessions of the account, and the sessions in which it acts, except `keep`. Every session that existed when
   * the call began has ended when it resolves; a session that began after any effect of the call was visible stays. Does
   * not change the epoch. Returns how many of them were active at `at`; concurrent calls count each session once.
   */
  endOthers(accountId: AccountId, keep: SessionId, at: Instant): Promise<number>
  /**
   * Ends all sessions of the account, and the sessions in which it acts, at ONE point in time: one write increments the
   * epoch of the account and changes nothing else in it. When it resolves, every session and refresh token of an older
   * epoch is invalid. A session of the new epoch stays, even if it was opened before the call resolved: no login ends
   * that began after any effect of the call was visible. Returns the number of sessions of the account itself, or
   * `undefined` if there is no such account. `Accounts.setPassword`, `setDisabled` and `consumeResetToken` end sessions
   * in the same way.
   */
  endAllOf(accountId: AccountId): Promise<number | undefined>
  /**
   * Removes sessions past their end at `at`, the oldest first, at most `limit` in one call; returns their number. It may
   * return early if the signal is aborted; a store that reads more than it removes heeds the signal.
   */
  purge(at: Instant, limit: number, signal?: AbortSignal): Promise<number>
}
