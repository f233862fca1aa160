import type { Claims } from '../../domain/identity/claims.js'
import type { Instant } from '../../domain/instant.js'
import { invalidToken, type Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/system.js'
import type { TokenSigner, Verification } from '../../ports/tokens.js'
import { judgeTimes } from './token-signer.js'

/**
 * An authentic access token. Only `CheckAccessToken` creates such a token, and no other object is accepted as an access token. A token may
 * be stored, so each use checks again whether it has expired.
 */
class AccessToken {
  readonly #tokens: TokenSigner
  readonly claims: Claims

  constructor(tokens: TokenSigner, claims: Claims) {
    this.#tokens = tokens
    this.claims = claims
    Object.freeze(this)
  }

  /** Returns the signer that verified the token, or `undefined` for any other value from an untyped caller. */
  static signerOf(value: unknown): TokenSigner | undefined {
    return typeof value === 'object' && value !== null && #tokens in value ? value.#tokens : undefined
  }
}

// Only the type is exported, so no other module can create a token.
export type { AccessToken }

/**
 * Checks an access token without reading its session. Refuses with `invalid-token`; an expired token passes only if `expired` is
 * `accepted`. Resolves with `undefined` if there is no token.
 */
export type CheckAccessToken = (
  token: string | undefined,
  options?: { readonly expired: 'refused' | 'accepted' },
) => Promise<AccessToken | undefined>

/** Checks only the token and the clock, without reading the store. */
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

/** Returns whether an untyped value is an authentic token of any signer. */
export function isAccessToken(value: unknown): value is AccessToken {
  return AccessToken.signerOf(value) !== undefined
}

/** Returns whether this signer has verified the token. */
export function isVerifiedBy(tokens: TokenSigner, token: AccessToken): boolean {
  return AccessToken.signerOf(token) === tokens
}

/** Returns the claims of a token that may have expired. Refuses an unverified object with `invalid-token`. */
export function claimsOf(token: AccessToken | undefined): Claims | undefined {
  if (token === undefined) return undefined
  // An untyped caller may pass any object.
  if (!isAccessToken(token)) throw invalidToken('the access token was not checked')
  return token.claims
}

/** Returns the claims of a token that has not expired at `at`. Refuses with `invalid-token`. */
export function unexpiredClaims(token: AccessToken | undefined, at: Instant): Claims | undefined {
  const claims = claimsOf(token)
  if (!claims) return undefined
  const judged = judgeTimes(claims, at)
  if (judged.kind === 'valid') return judged.claims
  throw refusalOf(judged)
}

function refusalOf(judged: Exclude<Verification, { readonly kind: 'valid' }>): Refusal {
  return invalidToken(judged.kind === 'invalid' ? judged.detail : 'the access token has expired')
}
