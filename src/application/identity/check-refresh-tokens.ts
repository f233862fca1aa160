import type { Claims } from '../../domain/identity/claims.js'
import type { Instant } from '../../domain/instant.js'
import { REQUIRED } from '../../domain/messages.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import type { TokenSigner } from '../../ports/token-signer.js'
import { claimsOf, unexpiredClaims } from './check-access-token.js'
import type { CheckedCredentials } from './presented.js'

/**
 * The claims of the refresh token, judged without the store. An expired access token of the same login does no harm. Refuses with
 * `invalid-token`.
 */
export async function checkRefreshTokens(
  tokens: TokenSigner,
  input: {
    readonly refreshToken: string | undefined
    readonly presented: CheckedCredentials
    readonly at: Instant
  },
): Promise<Claims> {
  const { at, presented, refreshToken } = input
  const access = claimsOf(presented.accessToken)
  if (!refreshToken) {
    throw new Refusal('invalid-token', [{ field: 'refreshToken', type: 'Required', message: REQUIRED }])
  }
  const judged = await tokens.verify('refresh', refreshToken, at)
  if (judged.kind !== 'valid')
    throw invalidToken(judged.kind === 'invalid' ? judged.detail : 'the refresh token has expired')
  if (access === undefined || access.sessionId === judged.claims.sessionId) return judged.claims
  unexpiredClaims(presented.accessToken, at)
  throw invalidToken('access and refresh token are of different sessions')
}
