import type { AccountId, Epoch } from '../domain/identity/account.js'
import type {
  Rotation,
  RotationRequest,
  LoginRotation,
  LoginRotationRequest,
} from '../domain/identity/rotation.js'
import type { KeyDigest, ActiveSession, Session, SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

/** The sort key for the sessions of one account. */
export type SessionPosition = Pick<Session, 'createdAt' | 'id'>

/** A request for one page of an account's sessions. */
export type SessionPageRequest = {
  readonly accountId: AccountId
  /** The last session of the previous page; the session may have been removed. */
  readonly after?: SessionPosition
  readonly limit: number
  readonly at: Instant
}

/**
 * Login sessions. A session is active at `at` if `at` is before the absolute expiry of the session and the idle expiry of its current
 * generation, and if its account exists, is not disabled and has the epoch of the session. If the session has an actor, the actor's account
 * must also exist, not be disabled and have the epoch of the actor. No call returns inactive sessions. The store keeps only digests of
 * keys. Results are copies, or deeply frozen; a frozen object may be returned again until its data changes.
 */
export type Sessions = {
  /**
   * Stores the session of a login; the session's ID and digest are random and therefore unique. Stores nothing if the session would not be
   * active because of its account or its actor's account, for example because the account was just removed.
   */
  open(session: Session): Promise<void>
  /**
   * Like `open`, but for an account that may have at most `max` sessions (`max` is at least 1). Also ends other sessions of the account
   * that are active at the `createdAt` of this session, the oldest first (by `createdAt`, then `id`), until at most `max` sessions remain.
   * Sessions with an actor are neither counted nor ended. Concurrent calls may end each other's sessions: when all calls have returned,
   * exactly `max` sessions are active. Returns the number of ended sessions.
   */
  openWithLimit(session: Session, max: number): Promise<number>
  /**
   * Returns the active session whose current key is this key, or whose previous key is this key if `at` is before `previous.until`. The
   * result includes the account and its roles and, if the session has an actor, the actor's roles. ONE read.
   */
  find(keyDigest: KeyDigest, at: Instant): Promise<ActiveSession | undefined>
  /** Like `find`, but by session ID. ONE read. */
  findById(id: SessionId, at: Instant): Promise<ActiveSession | undefined>
  /**
   * Returns at most `limit` active sessions of an account, ordered by `createdAt`, then `id` (by code unit). Uses an index, so that the
   * cost depends only on the size of the page and on the number of inactive sessions.
   */
  pageOf(request: SessionPageRequest): Promise<readonly Session[]>
  /**
   * Applies `decideRotation` to the active session, as one compare-and-swap of one row or document. For `rotated`, stores the session, with
   * `proved` and `factor` from a `confirmation`; for `replayed`, removes the session; otherwise writes nothing. Without a grace period, no
   * process accepts the previous generation, even if its clock is slow. Only one concurrent caller with the same `from` gets `rotated`,
   * even across processes.
   */
  rotate(request: RotationRequest): Promise<Rotation>
  /** Once the call resolves, `find` no longer finds the session and no `rotate` succeeds. A second call is harmless. */
  end(id: SessionId): Promise<'ended' | 'unknown'>
  /** Like `end`, but returns `unknown` and does nothing if the session belongs to another account. */
  endOne(accountId: AccountId, id: SessionId): Promise<'ended' | 'unknown'>
  /**
   * Ends the account's sessions and the sessions in which the account is the actor, except `keep`. Ends every session that existed when
   * the call began, and no session opened after the call's first effect became visible. Does not change the epoch. Returns how many of the
   * ended sessions were active at `at`; concurrent calls count each session once.
   */
  endOthers(accountId: AccountId, keep: SessionId, at: Instant): Promise<number>
  /**
   * Ends all sessions of the account, and the sessions in which the account is the actor, at one point in time. One write increments the
   * epoch of the account and changes nothing else in the account. Once the call resolves, every session and refresh token of an older epoch
   * is invalid. Sessions of the new epoch remain, even if they were opened before the call resolved. Returns the number of ended sessions
   * of the account itself, or `undefined` if there is no such account. `Accounts.setPassword`, `Accounts.setDisabled` and
   * `Proofs.resetPassword` end sessions in the same way.
   */
  endAllOf(accountId: AccountId): Promise<number | undefined>
  /**
   * Removes at most `limit` sessions that have expired by `at`, the oldest first; returns the number removed. May return early if the signal
   * is aborted; a store that reads more sessions than it removes should return early.
   */
  purge(at: Instant, limit: number, signal?: AbortSignal): Promise<number>
}

/** A login, as described by its stateless tokens. */
export type StatelessLogin = {
  readonly sessionId: SessionId
  readonly accountId: AccountId
  readonly epoch: Epoch
}

/** Stateless mode: revoked logins, read on every request, and the current token pair of each login, read on every refresh. */
export type Revocations = {
  /** Resolves with `true` if the login is revoked at `at`, or if its account is deleted, is disabled or has a new epoch. One indexed read. */
  isRevoked(login: StatelessLogin, at: Instant): Promise<boolean>
  /**
   * Applies `decideLoginRotation` to the login, as one compare-and-swap of one row or document. For `rotated`, stores the pairs; for
   * `replayed`, revokes the login; otherwise writes nothing. Does not read the account. Even across processes, only one concurrent caller
   * with the same `from` gets `rotated`, and only one concurrent caller with a used pair gets `replayed`.
   */
  rotate(request: LoginRotationRequest): Promise<LoginRotation>
  /**
   * Revokes the login until `until`, the time when its last token expires; no later `rotate` succeeds. Returns `unchanged` if the login
   * was already revoked until `until` or longer. Only one concurrent caller with the same `until` gets `revoked`, even across processes.
   */
  revoke(sessionId: SessionId, until: Instant): Promise<'revoked' | 'unchanged'>
  /** Removes at most `limit` logins whose revocation or pairs have expired by `at`; returns the number removed. */
  purge(at: Instant, limit: number): Promise<number>
}
