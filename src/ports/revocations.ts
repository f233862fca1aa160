import type { AccountId, Epoch } from '../domain/identity/account.js'
import type { LoginRotation, LoginRotationRequest } from '../domain/identity/rotation.js'
import type { SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

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
