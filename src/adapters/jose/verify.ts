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
import { partsOf, readHeader, readKid, describeError } from './header.js'
import { MUST_BE, suggestionFor } from '../../domain/messages.js'

/** Options of `createAccessTokenVerifier`, which other services use to check access tokens. */
export type AccessTokenVerifierOptions = {
  /** `PUBLIC_URL` of the issuing service, without a trailing slash. */
  readonly issuer: string
  /**
   * The URL of the key set, `<issuer>/.well-known/jwks.json` by default, or the key set itself. The verifier fetches the key set on first
   * use, when the set is ten minutes old, and when a key is unknown, but at most once every 30 seconds.
   */
  readonly keys?: URL | JSONWebKeySet
  /** The service's `ACCESS_TOKEN_TTL`, in milliseconds; 15 minutes by default. */
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

type Check = { readonly must: string; readonly holds: (value: unknown) => boolean }

const ISSUER =
  'must be the PUBLIC_URL of the service, such as https://kennel.example, without a trailing slash'

const CHECKS: Readonly<Record<string, Check>> = {
  issuer: { must: ISSUER, holds: isIssuer },
  keys: { must: 'must be a URL object or a JSON Web Key Set', holds: isKeys },
  maxLifetime: { must: 'must be a positive number of milliseconds', holds: isPositive },
  clock: { must: MUST_BE.function, holds: (value) => typeof value === 'function' },
}

/** Throws a TypeError that names every unknown, missing or malformed option, without its value. */
function checkVerifierOptions(options: unknown): void {
  const members = typeof options === 'object' && options !== null ? options : {}
  const errors = [
    ...Object.keys(members).flatMap(unknownOption),
    ...Object.entries(CHECKS).flatMap(([name, check]) =>
      brokenOption(name, (members as Readonly<Record<string, unknown>>)[name], check),
    ),
  ]
  if (errors.length > 0) throw new TypeError(`createAccessTokenVerifier: ${errors.join('; ')}`)
}

function unknownOption(name: string): string[] {
  const known = Object.keys(CHECKS)
  if (known.includes(name)) return []
  const meant = suggestionFor(name, known)
  return [
    `${name} is unknown; ${meant === undefined ? `the known names are ${known.join(', ')}` : `did you mean ${meant}?`}`,
  ]
}

function brokenOption(name: string, value: unknown, { must, holds }: Check): string[] {
  if (value === undefined) return name === 'issuer' ? [`${name} is required: it ${must}`] : []
  return holds(value) ? [] : [`${name} ${must}`]
}

function isIssuer(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^?#]*[^/?#]$/.test(value) && URL.canParse(value)
}

function isKeys(value: unknown): boolean {
  if (value instanceof URL) return true
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
