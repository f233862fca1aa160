/** What a client may read of a token: nothing here is verified, and nothing is decided by it but when to renew. */
type Reading = {
  /** The session that the token is of. */
  readonly session: unknown
  /** In milliseconds; NaN where the token does not say so. */
  readonly issuedAt: number
  /** Milliseconds between issue and expiry; NaN where the token does not say so. */
  readonly lifetime: number
}

type Claims = { readonly sid?: unknown; readonly iat?: unknown; readonly exp?: unknown }

/** A signature of Ed25519 follows the claims of a PASETO. */
const PASETO = 'v4'
const SIGNATURE = 64

/** Reads a JWT or a PASETO v4.public. */
export function readToken(token: string): Reading {
  const { sid, iat, exp } = claimsOf(token)
  const issuedAt = moment(iat)
  return { session: sid, issuedAt, lifetime: moment(exp) - issuedAt }
}

function claimsOf(token: string): Claims {
  try {
    const parts = token.split('.')
    const signed = parts[0] === PASETO
    const bytes = atob((parts[signed ? 2 : 1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    return { ...(JSON.parse(signed ? bytes.slice(0, -SIGNATURE) : bytes) as Claims) }
  } catch {
    return {}
  }
}

function moment(claim: unknown): number {
  return typeof claim === 'string' ? Date.parse(claim) : Number(claim) * 1000
}
