import type { Claims } from '../../domain/identity/claims.js'
import type { Instant } from '../../domain/instant.js'
import { REQUIRED } from '../../domain/messages.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import type { TokenSigner } from '../../ports/token-signer.js'
import { textField } from '../fields.js'
import { claimsOf, unexpiredClaims } from './check-access-token.js'
import type { CheckedCredentials } from './presented.js'

/**
 * The claims of the refresh token that a refresh brings, judged by itself, without what is stored. An expired access
 * token that came along is forgiven where it is of the login that is refreshed. Refuses with `malformed` and
 * `invalid-token`.
 */
export async function checkRefreshTokens(
  tokens: TokenSigner,
  input: { readonly refreshToken: unknown; readonly presented: CheckedCredentials; readonly at: Instant },
): Promise<Claims> {
  const { at, presented } = input
  const access = claimsOf(presented.accessToken)
  const token = textField('refreshToken', input.refreshToken)
  if (token === undefined || token === '') {
    throw new Refusal('invalid-token', [{ field: 'refreshToken', type: 'Required', message: REQUIRED }])
  }
  const judged = await tokens.verify('refresh', token, at)
  if (judged.kind !== 'valid')
    throw invalidToken(judged.kind === 'invalid' ? judged.detail : 'the refresh token has expired')
  if (access === undefined || access.sessionId === judged.claims.sessionId) return judged.claims
  unexpiredClaims(presented.accessToken, at)
  throw invalidToken('access and refresh token are of different sessions')
}
