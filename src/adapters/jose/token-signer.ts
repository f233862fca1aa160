import { CompactSign, compactVerify, errors, type CryptoKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Claims, TokenKind } from '../../domain/identity/claims.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import type { TokenSigner, Verification } from '../../ports/token-signer.js'
import { readHeader, readMembers, type Members } from './compact.js'
import { ALGORITHM, readKid, writeHeader } from './header.js'
import { readPayload, writePayload } from './payload.js'
import { demand, TokenFault } from './token-fault.js'

export type SigningKey = {
  readonly kid: string
  /** 64 bytes or more (RFC 7518, 3.2). */
  readonly secret: Uint8Array
}

export type JoseSignerOptions = {
  /** All of them verify. */
  readonly keys: readonly SigningKey[]
  /** The one of them that signs now. */
  readonly currentKid: string
  /** `iss`, and what the audiences are made of. */
  readonly issuer: string
  readonly lifetimes: { readonly accessToken: Milliseconds; readonly refreshToken: Milliseconds }
  /** How many authenticated tokens are remembered; 10,000 by default, some 10 MB. 0 for none. */
  readonly cacheSize?: number
}

type Ring = ReadonlyMap<string, CryptoKey>

const LEEWAY_SECONDS = 5
const CACHE_SIZE = 10_000
const SECRET_BYTES = 64
const ENCODER = new TextEncoder()

/**
 * JWTs signed with HS512. Header: exactly `alg`, `typ` (`at+jwt`, `rt+jwt`), `kid`. Payload:
 * exactly `iss`, `aud`, `sub`, `sid`, `jti`, `iat`, `nbf`, `exp`. It reads no clock and reaches
 * no network. Rejects with a RangeError for a ring that cannot work.
 */
export async function createJoseSigner(options: JoseSignerOptions): Promise<TokenSigner> {
  const ring = await importRing(options)
  const { authenticate, remember } = createAuthenticator(ring, options)
  return {
    currentKid: options.currentKid,
    sign: async (claims, kid) => {
      const key = ring.get(kid)
      if (!key) return undefined
      const token = await signClaims(claims, kid, key, options.issuer)
      remember(claims, token)
      return token
    },
    verify: async (kind, token, at) => {
      try {
        return judgeTimes(await authenticate(kind, token), at)
      } catch (error) {
        return { kind: 'invalid', detail: describe(error) }
      }
    },
  }
}

async function importRing({ keys, currentKid }: JoseSignerOptions): Promise<Ring> {
  const ring = new Map<string, CryptoKey>()
  for (const { kid, secret } of keys) {
    if (secret.length < SECRET_BYTES) throw new RangeError(`a signing secret needs ${SECRET_BYTES} bytes`)
    if (ring.has(kid)) throw new RangeError('two signing keys have one kid')
    const hmac = { name: 'HMAC', hash: 'SHA-512' }
    ring.set(
      kid,
      await crypto.subtle.importKey('raw', Uint8Array.from(secret), hmac, false, ['sign', 'verify']),
    )
  }
  if (!ring.has(currentKid)) throw new RangeError('the current kid names no signing key')
  return ring
}

function signClaims(claims: Claims, kid: string, key: CryptoKey, issuer: string): Promise<string> {
  const payload = ENCODER.encode(JSON.stringify(writePayload(claims, issuer)))
  return new CompactSign(payload).setProtectedHeader({ ...writeHeader(claims.kind, kid) }).sign(key)
}

/**
 * Everything but the clock. What was authenticated once is remembered by its whole text: the
 * ring and all that is compared with stay the same for as long as the signer lives.
 */
function createAuthenticator(ring: Ring, { issuer, lifetimes, cacheSize = CACHE_SIZE }: JoseSignerOptions) {
  const known = cacheSize > 0 ? new LRUCache<string, Claims>({ max: cacheSize }) : undefined
  const longest = { access: lifetimes.accessToken, refresh: lifetimes.refreshToken }

  const read = (kind: TokenKind, payload: Members) =>
    readPayload(payload, { kind, issuer, lifetime: longest[kind] })

  /** What was just signed is authentic, so long as it is what would be accepted. */
  function remember(claims: Claims, token: string): void {
    try {
      known?.set(token, read(claims.kind, writePayload(claims, issuer)))
    } catch {
      // Signed as it was asked for; it will be judged when it comes back.
    }
  }

  async function authenticate(kind: TokenKind, token: string): Promise<Claims> {
    demand(typeof token === 'string', 'the token is not a string')
    const remembered = known?.get(token)
    if (remembered?.kind === kind) return remembered
    const payload = await openToken(kind, token, ring)
    const claims = read(kind, readMembers(payload, 'payload'))
    known?.set(token, claims)
    return claims
  }

  return { authenticate, remember }
}

/** The payload's bytes, once the header and the signature are what they have to be. */
async function openToken(kind: TokenKind, token: string, ring: Ring): Promise<Uint8Array> {
  const key = ring.get(readKid(readHeader(token), kind))
  demand(key !== undefined, 'signed with no key of this ring')
  const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] })
  return payload
}

function judgeTimes(claims: Claims, at: Instant): Verification {
  const now = at / 1000
  if (now >= claims.expiresAt + LEEWAY_SECONDS) return { kind: 'expired', claims }
  if (now < claims.issuedAt - LEEWAY_SECONDS) return { kind: 'invalid', detail: 'not valid yet' }
  // A clock that is not a number passes neither comparison; it must not pass as valid.
  return Number.isFinite(now)
    ? { kind: 'valid', claims }
    : { kind: 'invalid', detail: 'no time to compare with' }
}

/** Our own text, jose's error code or a class name: never a message that could quote the token. */
function describe(error: unknown): string {
  if (error instanceof TokenFault) return error.message
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not fit'
  if (error instanceof errors.JOSEError) return `refused by jose: ${error.code}`
  return `unexpected ${error instanceof Error ? error.name : typeof error}`
}
