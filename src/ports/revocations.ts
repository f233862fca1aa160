import type { AccountId, Epoch } from '../domain/identity/account.js'
import type { LoginRotation, LoginRotationRequest } from '../domain/identity/login-rotation.js'
import type { SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

/** A login, as described by its stateless tokens. */
export type StatelessLogin = {
  readonly sessionId: SessionId
  readonly accountId: AccountId
  readonly epoch: Epoch
}

/**
 * For stateless mode: revoked logins, which are looked up at every request, and the current token pair of each login,
 * which is read at every refresh.
 */
export type Revocations = {
  /** Whether the login is revoked at `at`, or its account is gone, disabled or in another epoch. ONE indexed read. */
  isRevoked(login: StatelessLogin, at: Instant): Promise<boolean>
  /**
   * Applies `decideLoginRotation` to the login, as one compare-and-swap of one row or document: stores the pairs if
   * `rotated`, revokes the login if `replayed`, and otherwise writes nothing. Does not read the account. Only one
   * concurrent caller with the same `from` gets `rotated`, and only one with a used pair gets `replayed`, also across
   * processes.
   */
  rotate(request: LoginRotationRequest): Promise<LoginRotation>
  /**
   * Revokes the login until `until`, when its last token expires; no later `rotate` succeeds. Returns `unchanged` if it
   * was already revoked until `until` or longer. Only one concurrent caller with the same `until` gets `revoked`, also
   * across processes.
   */
  revoke(sessionId: SessionId, until: Instant): Promise<'revoked' | 'unchanged'>
  /** Removes at most `limit` logins whose revocation or pairs have expired at `at`; returns their number. */
  purge(at: Instant, limit: number): Promise<number>
}
