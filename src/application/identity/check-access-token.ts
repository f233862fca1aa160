import type { Claims } from '../../domain/identity/claims.js'
import type { Instant } from '../../domain/instant.js'
import { invalidToken, type Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { TokenSigner, Verification } from '../../ports/token-signer.js'
import { judgeTimes } from './token-signer.js'

/**
 * An access token that was found authentic: only `CheckAccessToken` makes one, and no other object passes for it. It may
 * be kept, so whether it has expired is asked again whenever it is used.
 */
class AccessToken {
  readonly #tokens: TokenSigner
  /** What it says. */
  readonly claims: Claims

  constructor(tokens: TokenSigner, claims: Claims) {
    this.#tokens = tokens
    this.claims = claims
    Object.freeze(this)
  }

  static isAny(value: unknown): value is AccessToken {
    return typeof value === 'object' && value !== null && #tokens in value
  }

  /** No compiler tells a program in JavaScript that text, or what it was sent, is no token yet. */
  static claimsOf(token: unknown): Claims | undefined {
    if (token === undefined) return undefined
    if (typeof token === 'object' && token !== null && #tokens in token) return token.claims
    throw invalidToken('the access token was not checked')
  }

  static isBy(tokens: TokenSigner, token: AccessToken): boolean {
    return token.#tokens === tokens
  }
}

// The type alone, so that no other module can make one.
export type { AccessToken }

/**
 * Judges an access token by itself, without the session behind it. Refuses with `invalid-token`; an expired one passes
 * only where that is said. No token gives none.
 */
export type CheckAccessToken = (
  token: string | undefined,
  options?: { readonly expired: 'refused' | 'accepted' },
) => Promise<AccessToken | undefined>

/** Reads no store: the token and the clock are all it looks at. */
export function createCheckAccessToken(parts: { tokens: TokenSigner; clock: Clock }): CheckAccessToken {
  const { tokens, clock } = parts
  return async (token, options) => {
    if (token === undefined) return undefined
    const judged = await tokens.verify('access', token, clock())
    if (judged.kind === 'valid' || (judged.kind === 'expired' && options?.expired === 'accepted'))
      return new AccessToken(tokens, judged.claims)
    throw refusalOf(judged)
  }
}

/** Whether this is a token that was found authentic, by whatever signer: for what no compiler has looked at. */
export function isAccessToken(value: unknown): value is AccessToken {
  return AccessToken.isAny(value)
}

/** Whether it was this very signer that found it authentic. */
export function isVerifiedBy(tokens: TokenSigner, token: AccessToken): boolean {
  return AccessToken.isBy(tokens, token)
}

/** What a token says, however old it is; no token says nothing. Refuses with `invalid-token` what was never checked. */
export function claimsOf(token: AccessToken | undefined): Claims | undefined {
  return AccessToken.claimsOf(token)
}

/** What a token says that must not have expired at `at`. Refuses with `invalid-token`, as `claimsOf` too. */
export function unexpiredClaims(token: AccessToken | undefined, at: Instant): Claims | undefined {
  const claims = AccessToken.claimsOf(token)
  if (!claims) return undefined
  const judged = judgeTimes(claims, at)
  if (judged.kind === 'valid') return judged.claims
  throw refusalOf(judged)
}

function refusalOf(judged: Exclude<Verification, { readonly kind: 'valid' }>): Refusal {
  return invalidToken(judged.kind === 'invalid' ? judged.detail : 'the access token has expired')
}
