import type { AccountId, Epoch } from '../domain/identity/account.js'
import type { LoginRotation, LoginRotationRequest } from '../domain/identity/login-rotation.js'
import type { SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

/** A login as its stateless tokens describe it. */
export type StatelessLogin = {
  readonly sessionId: SessionId
  readonly accountId: AccountId
  readonly epoch: Epoch
}

/**
 * For stateless mode: the logins that ended before their tokens, read at every request, and the current pair of tokens of
 * each login, read at every refresh.
 */
export type Revocations = {
  /**
   * True if the login was revoked and the revocation has not expired, or if the account is gone, disabled or in another
   * epoch. ONE read, from an index.
   */
  isRevoked(login: StatelessLogin, at: Instant): Promise<boolean>
  /**
   * Applies `decideLoginRotation` to the login, as one compare-and-swap of one row or document: stores the pairs if
   * `rotated`, revokes the login if `replayed`, and otherwise writes nothing. Does not read the account. Any number of
   * callers, in any number of processes: exactly one with one `from` gets `rotated`, and exactly one with a spent pair
   * gets `replayed`.
   */
  rotate(request: LoginRotationRequest): Promise<LoginRotation>
  /**
   * When it resolves, the login is revoked until `until`, the latest end of any of its tokens, and no `rotate` succeeds.
   * `unchanged` if it was revoked until then or longer. Any number of callers with one `until`, in any number of
   * processes: exactly one gets `revoked`.
   */
  revoke(sessionId: SessionId, until: Instant): Promise<'revoked' | 'unchanged'>
  /** Removes revocations and pairs that have expired at `at`, at most `limit` logins; returns the number of logins. */
  purge(at: Instant, limit: number): Promise<number>
}
