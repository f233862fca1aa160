import type { Identity } from './described.js'
import { member } from './reply.js'

/** The access token and the refresh token of a login. With these tokens alone, a script on any page of the origin can act as the user. */
export type Tokens = { readonly accessToken: string; readonly refreshToken: string }

/** A login, which tabs share and a storage object can keep. The identity is absent until it is known. */
export type Login = Tokens & {
  readonly identity?: Identity | undefined
  /** Whether the login is kept after the browser closes. */
  readonly remember?: boolean | undefined
}

/** The current pair with the claims of its access token; times in milliseconds. */
export type DatedTokens = Tokens & {
  readonly session: unknown
  readonly issuedAt: number
  readonly staleAt: number
}

/** Returns the login from a value that another tab or a storage object provided; `undefined` if the value is malformed. */
export function loginIn(value: unknown): Login | undefined {
  const { accessToken, refreshToken, identity, remember } = { ...(value as Record<string, unknown>) }
  return isToken(accessToken) && isToken(refreshToken) && (identity === undefined || isLoggedIn(identity))
    ? { accessToken, refreshToken, identity, remember: Boolean(remember) || undefined }
    : undefined
}

/**
 * The lifetime of a new pair is counted from `now`, so a wrong clock on this machine does not matter. For any other pair, the lifetime is
 * counted from the time of issue. If this machine's clock is wrong, the client then renews the pair too early, or only after a 401.
 */
export function heldFrom({ accessToken, refreshToken }: Tokens, now?: number): DatedTokens {
  const { session, issuedAt, lifetime } = readToken(accessToken)
  return { accessToken, refreshToken, session, issuedAt, staleAt: (now ?? issuedAt) + lifetime }
}

/** Returns whether both pairs belong to one session; pairs without a session never do. */
export function isOfOneSession(one: DatedTokens | undefined, other: DatedTokens | undefined): boolean {
  return one?.session !== undefined && one.session === other?.session
}

/** Accepts only the characters that are allowed in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+$/.test(value)
}

function isLoggedIn(value: unknown): value is Identity {
  return member(value, 'loggedIn') === true && typeof member(member(value, 'user'), 'email') === 'string'
}

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
