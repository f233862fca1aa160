/** Unverified claims of a token, used only to decide when to renew the token. Times are in milliseconds, and NaN if a claim is absent. */
type Reading = {
  readonly session: unknown
  readonly issuedAt: number
  /** The time from issue to expiry. */
  readonly lifetime: number
}

type Claims = { readonly sid?: unknown; readonly iat?: unknown; readonly exp?: unknown }

/** In a PASETO token, the claims are followed by the bytes of an Ed25519 signature. */
const PASETO = 'v4'
const SIGNATURE = 64

/** Reads a JWT or a PASETO v4.public token. */
export function readToken(token: string): Reading {
  const { sid, iat, exp } = claimsOf(token)
  const issuedAt = moment(iat)
  return { session: sid, issuedAt, lifetime: moment(exp) - issuedAt }
}

function claimsOf(token: string): Claims {
  try {
    const parts = token.split('.')
    const signed = parts[0] === PASETO
    const bytes = binaryOf(parts[signed ? 2 : 1])
    return { ...(JSON.parse(signed ? bytes.slice(0, -SIGNATURE) : bytes) as Claims) }
  } catch {
    return {}
  }
}

/** Decodes base64url to a binary string, with one character for each byte. */
export function binaryOf(base64url = ''): string {
  return atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
}

function moment(claim: unknown): number {
  return typeof claim === 'string' ? Date.parse(claim) : Number(claim) * 1000
}
