import type { Identity } from './described.js'
import { member } from './reply.js'
import { readToken } from './token.js'

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
