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
import { readJsonObject } from '../../domain/identity/json-object.js'
import { assert } from '../../domain/identity/token-error.js'
import { TOKEN_MAX } from '../../ports/token-format.js'
import { headerPart, readHeader, readKid } from './header.js'
import { describeError } from './errors.js'
import { checkVerifierOptions } from './verifier-options.js'

/** Whose tokens are good, and what they are checked with. */
export type AccessTokenVerifierOptions = {
  /** `PUBLIC_URL` of the service whose tokens these are, without a slash at its end. */
  readonly issuer: string
  /**
   * Where its keys are, else `<issuer>/.well-known/jwks.json`; or the keys themselves. The address
   * is asked when it is first needed, then after ten minutes, and for a key that is not known yet,
   * but not twice in 30 seconds.
   */
  readonly keys?: URL | JSONWebKeySet
  /** The service's `ACCESS_TOKEN_TTL` in milliseconds; 15 minutes by default. */
  readonly maxLifetime?: number
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number
}

/** Whom an access token speaks for. */
export type VerifiedAccess = {
  readonly accountId: number
  /** Names the login; the same in every token of it. */
  readonly sessionId: string
  readonly tokenId: string
  /** Whole seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** Only where the service is stateless; as they were when the token was issued. */
  readonly email?: string
  readonly roles?: readonly { readonly uuid: string; readonly key: string; readonly label: string }[]
  /** Who really calls, while another account (an administrator's) acts as this one. */
  readonly actor?: { readonly accountId: number; readonly email: string }
}

/**
 * What a verifier rejects with. `invalid-token`: answer 401; `keys-unavailable`: the key set could
 * not be fetched, answer 503. `detail` is for the log and holds nothing of the token.
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

/** Rejects with a `VerificationError` for whatever is not a good token now. */
export type VerifyAccessToken = (token: string) => Promise<VerifiedAccess>

const QUARTER_HOUR = 15 * 60_000

/**
 * For a resource server: checks access tokens of a service with `TOKEN_ALG=EdDSA` as the service
 * itself does (decision 3.4: algorithm, type, key, signature, issuer, audience, every claim, times
 * with 5 seconds of leeway), with jose and nothing else. It cannot know that a session has ended:
 * a token is good until it expires. Throws a TypeError that names every option that is unknown, missing or of
 * another form.
 */
export function createAccessTokenVerifier(options: AccessTokenVerifierOptions): VerifyAccessToken {
  checkVerifierOptions(options)
  const { issuer, maxLifetime = QUARTER_HOUR, clock = Date.now } = options
  const keyOf = keySource(options.keys ?? new URL(`${issuer}/.well-known/jwks.json`))

  async function claimsOf(token: string): Promise<Claims> {
    assert(typeof token === 'string', 'the token is not a string')
    assert(token.length <= TOKEN_MAX, 'the token is too long')
    readKid(readHeader(headerPart(token)), 'EdDSA', 'access')
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
