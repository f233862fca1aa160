import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import type { AccountId, Epoch } from './account.js'
import type { Email } from './email.js'
import type { SessionId } from './session.js'

/** Access and refresh tokens cannot stand in for each other. */
export type TokenKind = 'access' | 'refresh'

/** The content of a token. Times in whole seconds since 1970 (RFC 7519). */
export type Claims = {
  readonly kind: TokenKind
  readonly subject: AccountId
  /** Names the login; in stateless mode no session is stored under it. */
  readonly sessionId: SessionId
  readonly tokenId: string
  readonly issuedAt: number
  readonly expiresAt: number
  /** Only while another account acts as the subject. */
  readonly actor?: ClaimedActor
  /** Always in stateless mode, otherwise never. */
  readonly login?: CarriedLogin
}

/** `act` of RFC 8693: the account that really uses the token. */
export type ClaimedActor = {
  readonly accountId: AccountId
  readonly email: Email
  /** Always in stateless mode, otherwise never. */
  readonly login?: {
    /** The token is invalid as soon as the actor's account has another epoch. */
    readonly epoch: Epoch
    /** The absolute end of the actor's login; whole seconds since 1970. */
    readonly endsAt: number
  }
}

/** The login when the token was issued. The token carries it because no store holds it. */
export type CarriedLogin = {
  readonly email: Email
  readonly roles: readonly Role[]
  /** A refresh token is invalid as soon as the account has another epoch. */
  readonly epoch: Epoch
  /** The absolute end, which no refresh moves; whole seconds since 1970. */
  readonly endsAt: number
  /** When the second factor of the login was confirmed; absent without a second factor. */
  readonly factor?: Instant
}
