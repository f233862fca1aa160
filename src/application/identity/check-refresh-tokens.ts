import type { Claims } from '../../domain/identity/claims.js'
import type { Instant } from '../../domain/instant.js'
import { REQUIRED } from '../../domain/messages.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/system.js'
import type { TokenSigner } from '../../ports/tokens.js'
import { claimsOf, unexpiredClaims } from './check-access-token.js'
import { formText, formParser, type CheckedCredentials } from './presented.js'

/** The permission and the input of a refresh, in all modes. */
export const REFRESH = {
  permission: ['auth', 'refresh'],
  input: formParser({ refreshToken: formText }),
} as const

/**
 * Resolves with the time of a refresh and the claims of its refresh token, without reading the store. An expired access token of the same
 * login is not an error. Refuses the call with `malformed` if the refresh token is not a string, and with `invalid-token` if it is not
 * valid.
 */
export async function checkRefreshTokens(
  { tokens, clock }: { readonly tokens: TokenSigner; readonly clock: Clock },
  input: { readonly refreshToken: unknown; readonly presented: CheckedCredentials },
): Promise<{ readonly claims: Claims; readonly at: Instant }> {
  const at = clock()
  const { refreshToken } = REFRESH.input.read(input)
  const { accessToken } = input.presented
  const access = claimsOf(accessToken)
  if (!refreshToken) {
    throw new Refusal('invalid-token', [{ field: 'refreshToken', type: 'Required', message: REQUIRED }])
  }
  const judged = await tokens.verify('refresh', refreshToken, at)
  if (judged.kind !== 'valid')
    throw invalidToken(judged.kind === 'invalid' ? judged.detail : 'the refresh token has expired')
  const { claims } = judged
  if (access === undefined || access.sessionId === claims.sessionId) return { claims, at }
  unexpiredClaims(accessToken, at)
  throw invalidToken('the access token and the refresh token belong to different sessions')
}
