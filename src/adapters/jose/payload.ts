import type { AccountId } from '../../domain/identity/account.js'
import type { Claims, TokenKind } from '../../domain/identity/claims.js'
import type { SessionId } from '../../domain/identity/session.js'
import type { Milliseconds } from '../../domain/instant.js'
import { demandMembers, type Members } from './compact.js'
import { demand } from './token-fault.js'

/** What the payload has to fit to. `lifetime` is the longest that `exp` may be after `iat`. */
export type Expected = {
  readonly kind: TokenKind
  readonly issuer: string
  readonly lifetime: Milliseconds
}

const MEMBERS = ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp'] as const
const POSITIVE_DECIMAL = /^[1-9][0-9]{0,15}$/u

/** The audience of a kind: the issuer, a slash and the kind, such as `https://app.example/access`. */
function audience(issuer: string, kind: TokenKind): string {
  return `${issuer}/${kind}`
}

/** The members in the order in which they are written: the bytes of a token depend on it. */
export function writePayload(claims: Claims, issuer: string): Members {
  return {
    iss: issuer,
    aud: audience(issuer, claims.kind),
    sub: String(claims.subject),
    sid: claims.sessionId,
    jti: claims.tokenId,
    iat: claims.issuedAt,
    nbf: claims.issuedAt,
    exp: claims.expiresAt,
  }
}

/**
 * The claims of an authenticated payload. Every member is required, of exactly its type, and
 * none may be there besides; whether it is the time for them is not looked at.
 */
export function readPayload(payload: Members, expected: Expected): Claims {
  demandMembers(payload, MEMBERS, 'payload')
  demand(payload['iss'] === expected.issuer, 'another issuer')
  demand(payload['aud'] === audience(expected.issuer, expected.kind), 'another audience')
  return Object.freeze({
    kind: expected.kind,
    subject: readSubject(payload['sub']),
    sessionId: readName(payload['sid'], 'sid') as SessionId,
    tokenId: readName(payload['jti'], 'jti'),
    ...readTimes(payload, expected.lifetime),
  })
}

function readSubject(value: unknown): AccountId {
  demand(typeof value === 'string' && POSITIVE_DECIMAL.test(value), '"sub" is not an account id')
  const id = Number(value)
  demand(Number.isSafeInteger(id), '"sub" is not an account id')
  return id as AccountId
}

function readName(value: unknown, name: string): string {
  demand(typeof value === 'string' && value !== '', `"${name}" is not a name`)
  return value
}

function readTimes(payload: Members, lifetime: Milliseconds): { issuedAt: number; expiresAt: number } {
  const issuedAt = readSeconds(payload['iat'], 'iat')
  const expiresAt = readSeconds(payload['exp'], 'exp')
  demand(readSeconds(payload['nbf'], 'nbf') === issuedAt, '"nbf" differs from "iat"')
  demand(expiresAt > issuedAt, '"exp" is not after "iat"')
  // Whole seconds: both ends are rounded, so a fraction of the lifetime may count as a whole one.
  demand(expiresAt - issuedAt <= Math.ceil(lifetime / 1000), 'the lifetime is longer than the configured one')
  return { issuedAt, expiresAt }
}

function readSeconds(value: unknown, name: string): number {
  demand(typeof value === 'number' && Number.isSafeInteger(value) && value >= 0, `"${name}" is not a time`)
  return value
}
