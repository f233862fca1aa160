import { readClaimSet, writeClaimSet, type Requirements } from '../../domain/identity/claim-set.js'
import type { Claims, TokenKind } from '../../domain/identity/claims.js'
import { assert, type JsonObject } from '../../domain/identity/json-object.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import { tooManyRoles } from '../../domain/refusal.js'
import { TOKEN_MAX, type TokenFormat, type TokenSigner, type Verification } from '../../ports/tokens.js'

/** The dependencies needed to create a token signer. */
export type TokenSignerParts = {
  readonly format: TokenFormat
  /** The `iss` claim, and the first part of each audience. */
  readonly issuer: string
  readonly lifetimes: { readonly accessToken: Milliseconds; readonly refreshToken: Milliseconds }
  /** Whether tokens contain the login, because no session is stored. */
  readonly stateless: boolean
  /**
   * A bounded cache of authentic tokens, for example an LRU cache; the key is the complete token. The cache avoids repeated signature
   * checks; the times of a token are checked at every use.
   */
  readonly authenticated?: Authenticated
}

/** A cache of authentic tokens, keyed by the complete token. */
export type Authenticated = {
  /** Returns `undefined` if the token is not in the cache. */
  get(token: string): Claims | undefined
  /** The return value is ignored. */
  set(token: string, claims: Claims): unknown
}

const NO_ROOM = `the roles of the account do not fit into a token of ${TOKEN_MAX} characters: remove roles from the account`

/** How long a token stays valid after `exp`, in milliseconds. */
export const TOKEN_LEEWAY: Milliseconds = 5_000
/**
 * How far the clocks of instances may differ, in milliseconds: a token is accepted up to this long before `nbf`, which equals `iat`. Before
 * `nbf`, even a long leeway is harmless, because our own key signed the token; after `exp`, it would extend the life of stolen tokens.
 */
const CLOCK_LEEWAY: Milliseconds = 30_000

/**
 * Creates a signer for tokens of one format with exactly these claims: `iss`, `aud`, `sub`, `sid`, `jti`, `iat`, `nbf`, `exp`, and, in
 * stateless mode, the claims of the login. Does not read a clock.
 */
export function createTokenSigner(parts: TokenSignerParts): TokenSigner {
  const { format, issuer, lifetimes, stateless, authenticated } = parts
  const expected: Readonly<Record<TokenKind, Requirements>> = {
    access: { kind: 'access', issuer, lifetime: lifetimes.accessToken, stateless },
    refresh: { kind: 'refresh', issuer, lifetime: lifetimes.refreshToken, stateless },
  }

  /** Performs all checks that do not depend on the current time, so the result can be cached. */
  async function authenticate(kind: TokenKind, token: string): Promise<Claims> {
    assert(token.length <= TOKEN_MAX, 'the token is too long')
    const claims = readClaimSet(await format.open(kind, token), expected[kind])
    authenticated?.set(token, claims)
    return claims
  }

  /** A token that this signer has signed is authentic. A token that `verify` would reject is not cached. */
  function cacheSigned(token: string, claimSet: JsonObject, kind: TokenKind): void {
    try {
      if (authenticated) authenticated.set(token, readClaimSet(claimSet, expected[kind]))
    } catch {
      // `verify` reports the error.
    }
  }

  return {
    currentKid: format.currentKid,
    sign: async (claims, kid) => {
      const claimSet = writeClaimSet(claims, issuer)
      const token = await format.seal(claims.kind, claimSet, kid)
      if (token === undefined) return undefined
      // `verify` refuses longer tokens. Only roles can make a token this long.
      if (token.length > TOKEN_MAX) throw tooManyRoles(NO_ROOM)
      cacheSigned(token, claimSet, claims.kind)
      return token
    },
    verify: async (kind, token, at) => {
      try {
        assert(typeof token === 'string', 'the token is not a string')
        const cached = authenticated?.get(token)
        if (cached?.kind === kind) return judgeTimes(cached, at)
        return judgeTimes(await authenticate(kind, token), at)
      } catch (error) {
        return { kind: 'invalid', detail: format.describe(error) }
      }
    },
  }
}

/** Returns `expired` 5 seconds or more after `exp`, and `invalid` more than 30 seconds before `nbf`. */
export function judgeTimes(claims: Claims, at: Instant): Verification {
  const now = at / 1000
  if (now >= claims.expiresAt + TOKEN_LEEWAY / 1000) return { kind: 'expired', claims }
  if (now < claims.issuedAt - CLOCK_LEEWAY / 1000) return { kind: 'invalid', detail: 'not valid yet' }
  // If `now` is NaN, both comparisons above are false.
  return Number.isFinite(now)
    ? { kind: 'valid', claims }
    : { kind: 'invalid', detail: 'the current time is not a number' }
}
