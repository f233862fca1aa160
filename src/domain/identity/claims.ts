import type { AccountId } from './account.js'
import type { SessionId } from './session.js'

/** Access and refresh tokens cannot stand in for each other. */
export type TokenKind = 'access' | 'refresh'

/** What a token says. Times in whole seconds since 1970, as RFC 7519 has them. */
export type Claims = {
  readonly kind: TokenKind
  readonly subject: AccountId
  readonly sessionId: SessionId
  readonly tokenId: string
  readonly issuedAt: number
  readonly expiresAt: number
}
