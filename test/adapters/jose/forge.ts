import { createHmac } from 'node:crypto'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import { createJoseSigner, type JoseSignerOptions } from '../../../src/adapters/jose/index.js'
import type { TokenSigner, Verification } from '../../../src/ports/token-signer.js'

/** An attacker's bench: makes any token, also with our own key. Written without jose. */

export const ISSUER = 'https://kennel.example'
export const KEY = { kid: 'kid-current', secret: new Uint8Array(64).fill(1) }
export const OLD_KEY = { kid: 'kid-old', secret: new Uint8Array(64).fill(2) }
export const FOREIGN_KEY = { kid: 'kid-current', secret: new Uint8Array(64).fill(3) }

export const ISSUED = 1_900_000_000
export const NOW = (ISSUED + 60) * 1000

export const ACCESS: Claims = {
  kind: 'access',
  subject: 42 as AccountId,
  sessionId: 'session-1' as SessionId,
  tokenId: 'pair-1',
  issuedAt: ISSUED,
  expiresAt: ISSUED + 900,
}
export const REFRESH: Claims = { ...ACCESS, kind: 'refresh', expiresAt: ISSUED + 604_800 }

export const HEADER = { alg: 'HS512', typ: 'at+jwt', kid: KEY.kid }
export const PAYLOAD = {
  iss: ISSUER,
  aud: `${ISSUER}/access`,
  sub: '42',
  sid: 'session-1',
  jti: 'pair-1',
  iat: ISSUED,
  nbf: ISSUED,
  exp: ISSUED + 900,
}

export function openSigner(options: Partial<JoseSignerOptions> = {}): Promise<TokenSigner> {
  return createJoseSigner({
    keys: [KEY, OLD_KEY],
    currentKid: KEY.kid,
    issuer: ISSUER,
    lifetimes: { accessToken: 900_000, refreshToken: 604_800_000 },
    ...options,
  })
}

export function base64url(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return Buffer.from(text, 'utf8').toString('base64url')
}

/** A token of this header and payload (objects, or raw JSON text), really signed with the key. */
export function forge(header: unknown, payload: unknown, key = KEY, hash = 'sha512'): string {
  const signed = `${base64url(header)}.${base64url(payload)}`
  return `${signed}.${createHmac(hash, key.secret).update(signed).digest('base64url')}`
}

export function detailOf(verification: Verification): string {
  return verification.kind === 'invalid' ? verification.detail : `not invalid but ${verification.kind}`
}
