import type { Claims } from '../../domain/identity/claims.js'
import type { Instant } from '../../domain/instant.js'
import { REQUIRED } from '../../domain/messages.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import type { TokenSigner } from '../../ports/token-signer.js'
import type { CheckAccessToken } from './check-access-token.js'
import { textField } from '../fields.js'
import type { Presented } from './presented.js'

type Parts = { readonly checkAccessToken: CheckAccessToken; readonly tokens: TokenSigner }

/**
 * The claims of the refresh token that a refresh brings, judged by itself, without what is stored.
 * An access token that came along has to be authentic; an expired one is forgiven where it is of
 * the login that is refreshed. Refuses with `malformed` and `invalid-token`.
 */
export async function checkRefreshTokens(
  parts: Parts,
  input: { readonly refreshToken: unknown; readonly presented: Presented; readonly at: Instant },
): Promise<Claims> {
  const { accessToken } = input.presented
  const access = await parts.checkAccessToken(accessToken, { expired: 'accepted' })
  const claims = await verifyRefreshToken(parts, textField('refreshToken', input.refreshToken), input.at)
  if (access === undefined || access.sessionId === claims.sessionId) return claims
  await parts.checkAccessToken(accessToken)
  throw invalidToken('access and refresh token are of different sessions')
}

async function verifyRefreshToken(
  { tokens }: Parts,
  token: string | undefined,
  at: Instant,
): Promise<Claims> {
  if (token === undefined || token === '') {
    throw new Refusal('invalid-token', [{ field: 'refreshToken', type: 'Required', message: REQUIRED }])
  }
  const judged = await tokens.verify('refresh', token, at)
  if (judged.kind === 'valid') return judged.claims
  throw invalidToken(judged.kind === 'invalid' ? judged.detail : 'the refresh token has expired')
}
