import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import type { AccountId, Epoch } from './account.js'
import type { Email } from './email.js'
import type { LoginProof, SessionId } from './session.js'

/** The kind of a token; an endpoint accepts only one kind. */
export type TokenKind = 'access' | 'refresh'

/** The content of a token. Times are whole seconds since 1970 (RFC 7519). */
export type Claims = {
  readonly kind: TokenKind
  readonly subject: AccountId
  /** Identifies the login. In stateless mode, no session with this ID is stored. */
  readonly sessionId: SessionId
  readonly tokenId: string
  readonly issuedAt: number
  readonly expiresAt: number
  /** Present only while another account acts as the subject. */
  readonly actor?: ClaimedActor
  /** Present only in stateless mode. */
  readonly login?: CarriedLogin
}

/** The impersonating account (`act` in RFC 8693). */
export type ClaimedActor = {
  readonly accountId: AccountId
  readonly email: Email
  /** Present only in stateless mode. */
  readonly login?: {
    /** The token becomes invalid when the epoch of the actor's account changes. */
    readonly epoch: Epoch
    /** The absolute end of the actor's login; whole seconds since 1970. */
    readonly endsAt: number
  }
}

/** The state of the login when the token was issued; in stateless mode, no store contains this state. */
export type CarriedLogin = {
  readonly email: Email
  readonly roles: readonly Role[]
  /** A refresh token becomes invalid when the account's epoch changes. */
  readonly epoch: Epoch
  /** The time when the login ends, however often it is refreshed; whole seconds since 1970. */
  readonly endsAt: number
  /** When the second factor that this login used was activated; absent if it used none. */
  readonly factor?: Instant
  /**
   * When the owner of the login proved their identity, in whole seconds; present only if permissions have conditions or passkeys are
   * enabled.
   */
  readonly proved?: LoginProof
  /** Present if the owner proved their identity with a passkey. */
  readonly passkey?: true
}
