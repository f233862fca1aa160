import type { AccountId, Epoch } from '../domain/identity/account.js'
import type { SessionId } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'

/** A login as its stateless tokens tell of it. */
export type StatelessLogin = {
  readonly sessionId: SessionId
  readonly accountId: AccountId
  readonly epoch: Epoch
}

/**
 * Which logins of stateless mode are over before their tokens are. Asked at every request, where
 * it is there at all.
 */
export type Revocations = {
  /**
   * True where the login was revoked and its time is not up, and where its account is gone,
   * disabled or in another epoch. ONE read, from an index.
   */
  isRevoked(login: StatelessLogin, at: Instant): Promise<boolean>
  /**
   * After it returns the login is revoked until `until`, the latest end of any of its tokens.
   * `unchanged` where it was already, until then or longer: of any number of callers with one
   * `until`, in any number of processes, exactly one is told `revoked`.
   */
  revoke(sessionId: SessionId, until: Instant): Promise<'revoked' | 'unchanged'>
  /** Removes revocations whose time is up at `at`; returns how many. At most `limit` in one call. */
  purge(at: Instant, limit: number): Promise<number>
}
