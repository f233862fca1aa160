import {
  compactVerify,
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import { judgeTimes } from '../../application/identity/token-signer.js'
import { readClaimSet } from '../../domain/identity/claim-set.js'
import type { Claims } from '../../domain/identity/claims.js'
import { readJsonObject, assert } from '../../domain/identity/json-object.js'
import { TOKEN_MAX } from '../../ports/tokens.js'
import { partsOf, readHeader, readKid } from './header.js'
import { describeError } from './errors.js'
import { checkVerifierOptions } from './verifier-options.js'

/** Options of `createAccessTokenVerifier`, which other services use to check access tokens. */
export type AccessTokenVerifierOptions = {
  /** `PUBLIC_URL` of the issuing service, without a trailing slash. */
  readonly issuer: string
  /**
   * The URL of the key set, `<issuer>/.well-known/jwks.json` by default, or the key set itself. The verifier fetches the key set on first
   * use, when the set is ten minutes old, and when a key is unknown, but at most once every 30 seconds.
   */
  readonly keys?: URL | JSONWebKeySet
  /** `ACCESS_TOKEN_TTL` of the service in milliseconds; 15 minutes by default. */
  readonly maxLifetime?: number
  /** Returns the time in milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number
}

/** The content of a valid access token. */
export type VerifiedAccess = {
  readonly accountId: number
  /** The session ID, which all tokens of a login share. */
  readonly sessionId: string
  readonly tokenId: string
  /** Time of issue in whole seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** The email address when the token was issued; present only if the service is stateless. */
  readonly email?: string
  readonly roles?: readonly { readonly uuid: string; readonly key: string; readonly label: string }[]
  /** During impersonation: the account that acts on behalf of the token's account. */
  readonly actor?: { readonly accountId: number; readonly email: string }
}

/**
 * Why verification failed. Reply with 401 to `invalid-token` and with 503 to `keys-unavailable`, which means that the key set could not be
 * fetched. `detail` is for the log and contains no part of the token.
 */
export class VerificationError extends Error {
  readonly code: 'invalid-token' | 'keys-unavailable'
  readonly detail: string

  constructor(code: VerificationError['code'], detail: string, cause?: unknown) {
    super(code === 'invalid-token' ? 'Invalid authentication token.' : 'The keys cannot be fetched.', {
      cause,
    })
    this.name = 'VerificationError'
    this.code = code
    this.detail = detail
  }
}

/** Verifies an access token and rejects with a `VerificationError` if the token is not currently valid. */
export type VerifyAccessToken = (token: string) => Promise<VerifiedAccess>

const QUARTER_HOUR = 15 * 60_000

/**
 * Creates a verifier with which a resource server verifies the access tokens of a service with `TOKEN_ALG=EdDSA`; it needs no package
 * except jose. Checks the algorithm, type, key, signature, issuer and audience, all claims, and the times (5 seconds of leeway after `exp`,
 * 30 before `nbf`), as the service does (decision 3.4). The verifier cannot detect that a session has ended: a token is valid until it
 * expires. Throws a TypeError that names every unknown, missing or malformed option.
 */
export function createAccessTokenVerifier(options: AccessTokenVerifierOptions): VerifyAccessToken {
  checkVerifierOptions(options)
  const { issuer, maxLifetime = QUARTER_HOUR, clock = Date.now } = options
  const keyOf = keySource(options.keys ?? new URL(`${issuer}/.well-known/jwks.json`))

  async function claimsOf(token: string): Promise<Claims> {
    assert(typeof token === 'string', 'the token is not a string')
    assert(token.length <= TOKEN_MAX, 'the token is too long')
    readKid(readHeader(partsOf(token).headerPart), 'EdDSA', 'access')
    const { payload } = await compactVerify(token, keyOf, { algorithms: ['EdDSA'] })
    const members = readJsonObject(payload, 'payload')
    const stateless = Object.hasOwn(members, 'email')
    return readClaimSet(members, { kind: 'access', issuer, lifetime: maxLifetime, stateless })
  }

  return async (token) => {
    const judged = judgeTimes(await claimsOf(token).catch(refuse), clock())
    if (judged.kind === 'valid') return accessOf(judged.claims)
    throw new VerificationError('invalid-token', judged.kind === 'expired' ? 'expired' : judged.detail)
  }
}

function keySource(keys: URL | JSONWebKeySet): JWTVerifyGetKey {
  if (!(keys instanceof URL)) return createLocalJWKSet(keys)
  const remote = createRemoteJWKSet(keys)
  return async (header, token) => {
    try {
      return await remote(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error
      throw new VerificationError('keys-unavailable', describeError(error), error)
    }
  }
}

function refuse(error: unknown): never {
  if (error instanceof VerificationError) throw error
  throw new VerificationError('invalid-token', describeError(error))
}

function accessOf(claims: Claims): VerifiedAccess {
  const { subject, sessionId, tokenId, issuedAt, expiresAt, login, actor } = claims
  const carried = login && { email: login.email, roles: login.roles }
  const acting = actor && { actor: { accountId: actor.accountId, email: actor.email } }
  return { accountId: subject, sessionId, tokenId, issuedAt, expiresAt, ...carried, ...acting }
}
