import type { AccountId, Epoch } from '../domain/identity/account.js'
import type { LoginRotation, LoginRotationRequest } from '../domain/identity/login-rotation.js'
import type { SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

/** A login as its stateless tokens tell of it. */
export type StatelessLogin = {
  readonly sessionId: SessionId
  readonly accountId: AccountId
  readonly epoch: Epoch
}

/**
 * Which logins of stateless mode are over before their tokens are, asked at every request, and which of its pairs of
 * tokens each login has come to, asked at every refresh; where it is there at all.
 */
export type Revocations = {
  /**
   * True where the login was revoked and its time is not up, and where its account is gone,
   * disabled or in another epoch. ONE read, from an index.
   */
  isRevoked(login: StatelessLogin, at: Instant): Promise<boolean>
  /**
   * Does what `decideLoginRotation` says of the login, as one compare-and-swap in one row or document: stores the pairs of
   * a login that was `rotated`, revokes the one that was `replayed`, and writes nothing else. The account is not looked
   * at. Of any number of callers with one `from`, in any number of processes, exactly one gets `rotated`, and of all who
   * come with a spent one exactly one gets `replayed`.
   */
  rotate(request: LoginRotationRequest): Promise<LoginRotation>
  /**
   * After it returns the login is revoked until `until`, the latest end of any of its tokens, and no `rotate` succeeds.
   * `unchanged` where it was already, until then or longer: of any number of callers with one
   * `until`, in any number of processes, exactly one is told `revoked`.
   */
  revoke(sessionId: SessionId, until: Instant): Promise<'revoked' | 'unchanged'>
  /** Removes revocations and pairs whose time is up at `at`; returns of how many logins. At most `limit` in one call. */
  purge(at: Instant, limit: number): Promise<number>
}
