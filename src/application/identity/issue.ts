import type { Identity } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { Claims, TokenKind, ClaimedActor } from '../../domain/identity/claims.js'
import type { SignedPair } from '../../domain/identity/rotation.js'
import {
  isRemembered,
  type ActiveSession,
  type PairId,
  type Session,
  type SessionKey,
  type Actor,
  type LoginProof,
  type SessionId,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import { invalidToken, isRefusal } from '../../domain/refusal.js'
import type { Randomness } from '../../ports/system.js'
import type { GivenShared } from '../shared-parts.js'
import { identityOf, countedRoles, validFactor } from './identity-of.js'

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

export function pairOf(claims: Claims): PairId {
  return claims.tokenId.slice(0, -`.${claims.kind}`.length) as PairId
}

/** Signs a new token pair for a login of this account. The pair is valid until the end of the login at the latest. */
export type IssuePair = (account: Account, login: PairedLogin, at: Instant) => Promise<Issued>

export type PairedLogin = {
  readonly sessionId: SessionId
  readonly endsAt: Instant
  readonly actor?: Actor | undefined
  /** When the second factor of the login was confirmed. */
  readonly factor?: Instant | undefined
  /** When the owner of the login proved their identity; absent if unknown. */
  readonly proved?: LoginProof | undefined
  /** Whether the owner proved their identity with a passkey. */
  readonly passkey?: true | undefined
}

/** Issues the tokens of a login in stateless mode, where only the tokens record the login. */
export function createIssuePair(parts: SignPairParts & { randomness: Randomness }): IssuePair {
  const signPair = createSignPair(parts)
  return async (account, login, at) => await signPair(account, login, freshPair(parts, at))
}

export function freshPair(
  { tokens, randomness }: GivenShared<['tokens', 'randomness']>,
  at: Instant,
): SignedPair {
  return { pairId: randomness.base64url(16) as PairId, kid: tokens.currentKid, issuedAt: at }
}

/**
 * Signs the given pair for a login of the account. The result depends only on the input and the configuration, so the same pair of the same
 * account always has the same bytes. Refuses with `invalid-token` if the key of the pair is no longer in the key ring. If the roles do not
 * fit into a token, logs this and refuses with `forbidden`.
 */
export type SignPair = (account: Account, login: PairedLogin, pair: SignedPair) => Promise<Issued>

export type SignPairParts = GivenShared<['tokens', 'lifetimes', 'factorRoles', 'log']> & {
  /** Whether tokens contain the time of the owner's last proof; see `createShowsProof`. */
  showsProof?: boolean | undefined
}

/** Replaces `createIssue` in stateless mode. */
export function createSignPair(parts: SignPairParts): SignPair {
  const { tokens, lifetimes, factorRoles, showsProof, log } = parts
  return async (account, login, pair) => {
    const { sessionId, endsAt, actor, passkey } = login
    // Releases up to 0.8.0 refuse tokens with more members, so only a service that needs the times writes them.
    const proved = showsProof ? login.proved : undefined
    const active = { session: sessionOf(login), account, actorFactor: login.factor }
    const factor = validFactor(active)
    const roles = countedRoles(account.roles, factor, factorRoles)
    const sign = async (kind: TokenKind, lifetime: number): Promise<string> => {
      const [issuedAt, end] = [seconds(pair.issuedAt), seconds(endsAt)]
      const claims: Claims = {
        kind,
        subject: account.id,
        sessionId,
        tokenId: `${pair.pairId}.${kind}`,
        issuedAt,
        // Even a token that is signed in the login's last second needs a positive lifetime.
        expiresAt: Math.max(Math.min(issuedAt + seconds(lifetime), end), issuedAt + 1),
        login: {
          email: shownEmail(account),
          roles,
          epoch: account.epoch,
          endsAt: end,
          ...defined({ factor, proved, passkey }),
        },
        ...(actor && { actor: claimedActor(actor) }),
      }
      const token = await tokens.sign(claims, pair.kid)
      if (token === undefined) throw invalidToken('the signing key of this pair is no longer in the key ring')
      return token
    }
    const [accessToken, refreshToken] = await Promise.all([
      sign('access', lifetimes.accessToken),
      sign('refresh', lifetimes.refreshToken),
    ]).catch((error: unknown) => {
      if (isRefusal(error) && error.code === 'forbidden')
        log?.warn('login refused', { accountId: account.id, detail: error.detail })
      throw error
    })
    const identity = identityOf(active, factorRoles)
    return { identity, accessToken, refreshToken, endsAt }
  }
}

/** Returns the login of a token pair in the shape of a session. */
export function sessionOf({ sessionId: id, endsAt, actor, factor }: PairedLogin) {
  return { id, endsAt, ...defined({ actor, factor }) }
}

function claimedActor({ accountId, email, epoch, endsAt }: Actor): ClaimedActor {
  return { accountId, email, login: { epoch, endsAt: seconds(endsAt) } }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
