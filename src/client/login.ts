import type { Identity } from './described.js'
import { member } from './reply.js'
import { readToken } from './token.js'

/** The pair of a login. In a page of the origin it is all that a script needs to act as the user. */
export type Tokens = { readonly accessToken: string; readonly refreshToken: string }

/** A login as other tabs are told of it and as a storage keeps it; without the identity where that is not known. */
export type Login = Tokens & { readonly identity?: Identity | undefined }

/** The pair that a client holds, and what it can read of it. */
export type Held = Tokens & { readonly session: unknown; readonly issuedAt: number; readonly staleAt: number }

/** A login in whatever came; `undefined` where it is none that could be sent and shown. */
export function loginIn(value: unknown): Login | undefined {
  const { accessToken, refreshToken, identity } = { ...(value as Record<string, unknown>) }
  return isToken(accessToken) && isToken(refreshToken) && (identity === undefined || isLoggedIn(identity))
    ? { accessToken, refreshToken, identity }
    : undefined
}

/**
 * `now` where the pair is new: it lives for as long as it says from then on, as the clock of this machine may be wrong.
 * Any other one lives from its issue on; where the clock is wrong it is renewed too early, or after a 401.
 */
export function heldFrom({ accessToken, refreshToken }: Tokens, now?: number): Held {
  const { session, issuedAt, lifetime } = readToken(accessToken)
  return { accessToken, refreshToken, session, issuedAt, staleAt: (now ?? issuedAt) + lifetime }
}

/** What names no session belongs to none. */
export function isOfOneSession(one: Held | undefined, other: Held | undefined): boolean {
  return one?.session !== undefined && one.session === other?.session
}

/** Whatever else cannot stand in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+$/.test(value)
}

function isLoggedIn(value: unknown): value is Identity {
  return member(value, 'loggedIn') === true && typeof member(member(value, 'user'), 'email') === 'string'
}
