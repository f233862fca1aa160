import type { Identity } from './described.js'
import { member } from './reply.js'
import { readToken } from './token.js'

/** The pair of a login. In a page of the origin it is all that a script needs to act as the user. */
export type Tokens = { readonly accessToken: string; readonly refreshToken: string }

/** A login as tabs exchange it and a storage keeps it; the identity is absent while it is unknown. */
export type Login = Tokens & {
  readonly identity?: Identity | undefined
  /** Whether the login outlives the browser. */
  readonly remember?: boolean | undefined
}

/** The current pair with the claims of its access token; times in milliseconds. */
export type Held = Tokens & { readonly session: unknown; readonly issuedAt: number; readonly staleAt: number }

/** Validates a login from another tab or a storage; `undefined` if it is malformed. */
export function loginIn(value: unknown): Login | undefined {
  const { accessToken, refreshToken, identity, remember } = { ...(value as Record<string, unknown>) }
  return isToken(accessToken) && isToken(refreshToken) && (identity === undefined || isLoggedIn(identity))
    ? { accessToken, refreshToken, identity, remember: Boolean(remember) || undefined }
    : undefined
}

/**
 * The lifetime of a new pair begins `now`, so that a wrong clock on this machine does not matter. The lifetime of any
 * other pair begins at its issue: with a wrong clock the client renews it too early, or after a 401.
 */
export function heldFrom({ accessToken, refreshToken }: Tokens, now?: number): Held {
  const { session, issuedAt, lifetime } = readToken(accessToken)
  return { accessToken, refreshToken, session, issuedAt, staleAt: (now ?? issuedAt) + lifetime }
}

/** Pairs without a session never belong together. */
export function isOfOneSession(one: Held | undefined, other: Held | undefined): boolean {
  return one?.session !== undefined && one.session === other?.session
}

/** A header accepts only these characters. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+$/.test(value)
}

function isLoggedIn(value: unknown): value is Identity {
  return member(value, 'loggedIn') === true && typeof member(member(value, 'user'), 'email') === 'string'
}
