import type { Identity } from '../../domain/access/caller.js'
import type { Claims, TokenKind } from '../../domain/identity/claims.js'
import {
  isRemembered,
  type ActiveSession,
  type PairId,
  type Session,
  type SessionKey,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { invalidToken } from '../../domain/refusal.js'
import { identityOf } from './identity-of.js'
import type { GivenShared } from '../shared-parts.js'

/** The credentials of a login or a refresh. The client receives these credentials only once. */
export type Issued = {
  readonly identity: Identity
  readonly accessToken: string
  readonly refreshToken: string
  /** The key for the session cookie; absent in stateless mode. */
  readonly sessionKey?: SessionKey
  /** `Max-Age` of the cookie in seconds; absent if the cookie ends with the browser session. */
  readonly cookieMaxAge?: number
  /** The absolute end of the session. */
  readonly endsAt: Instant
}

/**
 * Signs the token pair of a session's current generation. The result depends only on the stored generation and the configuration, so the
 * same generation always gives the same bytes.
 */
export type Issue = (active: ActiveSession, sessionKey: SessionKey) => Promise<Issued>

/** The session key is passed through unchanged. */
export function createIssue(
  parts: GivenShared<['tokens', 'lifetimes', 'factorRoles', 'rememberLogin']>,
): Issue {
  const { tokens, lifetimes, factorRoles, rememberLogin } = parts
  return async (active, sessionKey) => {
    const { session } = active
    const { kid } = session.current
    const [accessToken, refreshToken] = await Promise.all([
      tokens.sign(claimsOf('access', session, lifetimes.accessToken), kid),
      tokens.sign(claimsOf('refresh', session, lifetimes.refreshToken), kid),
    ])
    if (accessToken === undefined || refreshToken === undefined)
      throw invalidToken('the signing key of this generation is no longer in the key ring')
    const identity = identityOf(active, factorRoles)
    const issued = { identity, accessToken, refreshToken, sessionKey, endsAt: session.endsAt }
    return rememberLogin && isRemembered(session) ? { ...issued, cookieMaxAge: maxAgeOf(session) } : issued
  }
}

function claimsOf(kind: TokenKind, session: Session, lifetime: number): Claims {
  const { actor } = session
  const issuedAt = Math.floor(session.current.issuedAt / 1000)
  const expiresAt = Math.floor(Math.min(session.current.issuedAt + lifetime, session.endsAt) / 1000)
  return {
    kind,
    subject: session.accountId,
    sessionId: session.id,
    tokenId: `${session.current.pairId}.${kind}`,
    issuedAt,
    // A token signed in a session's last second still needs a positive lifetime.
    expiresAt: Math.max(expiresAt, issuedAt + 1),
    ...(actor && { actor: { accountId: actor.accountId, email: actor.email } }),
  }
}

/** Measured from the time when the generation was issued, not from now, so that repeated responses are identical. */
function maxAgeOf({ endsAt, current }: Session): number {
  return Math.ceil((endsAt - current.issuedAt) / 1000)
}

/** Returns the ID of the pair that a token belongs to. */
export function pairOf(claims: Claims): PairId {
  return claims.tokenId.slice(0, -`.${claims.kind}`.length) as PairId
}
