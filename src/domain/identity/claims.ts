import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import type { AccountId, Epoch } from './account.js'
import type { Email } from './email.js'
import type { SessionId } from './session.js'

/** Access and refresh tokens cannot stand in for each other. */
export type TokenKind = 'access' | 'refresh'

/** What a token says. Times in whole seconds since 1970, as RFC 7519 has them. */
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
  /** In stateless mode always, else never. */
  readonly login?: CarriedLogin
}

/** `act` of RFC 8693: who really is behind the token. */
export type ClaimedActor = {
  readonly accountId: AccountId
  readonly email: Email
  /** In stateless mode always, else never. */
  readonly login?: {
    /** The token is dead as soon as the actor's account has another. */
    readonly epoch: Epoch
    /** The absolute end of the actor's own login; whole seconds since 1970. */
    readonly endsAt: number
  }
}

/** The login as it was when the token was issued, carried where nothing is stored of it. */
export type CarriedLogin = {
  readonly email: Email
  readonly roles: readonly Role[]
  /** A refresh token is dead as soon as the account has another. */
  readonly epoch: Epoch
  /** The absolute end, which no refresh moves; whole seconds since 1970. */
  readonly endsAt: number
  /** When the second factor was confirmed that the login has proved; absent without one. */
  readonly factor?: Instant
}
