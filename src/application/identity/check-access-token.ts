import type { Claims } from '../../domain/identity/claims.js'
import { invalidToken } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { TokenSigner } from '../../ports/token-signer.js'

/**
 * Judges an access token by itself, without the session behind it. Gives its claims, or refuses
 * with `invalid-token`; an expired one passes only where that is said. No token, no claims.
 */
export type CheckAccessToken = (
  token: string | undefined,
  options?: { readonly expired: 'refused' | 'accepted' },
) => Promise<Claims | undefined>

/** Reads no store: the token and the clock are all it looks at. */
export function createCheckAccessToken(parts: { tokens: TokenSigner; clock: Clock }): CheckAccessToken {
  return async (token, options) => {
    if (token === undefined) return undefined
    const judged = await parts.tokens.verify('access', token, parts.clock())
    if (judged.kind === 'valid') return judged.claims
    if (judged.kind === 'invalid') throw invalidToken(judged.detail)
    if (options?.expired === 'accepted') return judged.claims
    throw invalidToken('the access token has expired')
  }
}
