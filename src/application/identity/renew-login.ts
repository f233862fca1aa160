import { ANONYMOUS } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import { rateLimitKey } from '../../domain/identity/address.js'
import type { Claims } from '../../domain/identity/claims.js'
import type { Rotation, RotationRequest } from '../../domain/identity/rotation.js'
import type { ActiveSession, KeyDigest, PairId, Session, SessionKey } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { invalidToken } from '../../domain/refusal.js'
import type { ClientContext } from '../client-context.js'
import type { GivenShared } from '../shared-parts.js'
import type { ReplaceLogin } from './begin-login.js'
import {
  pairOf,
  createSignPair,
  freshPair,
  type Issue,
  type Issued,
  type IssuePair,
  type PairedLogin,
  type SignPairParts,
} from './issue.js'
import type { NextGeneration } from './open-session.js'
import type { LoggedIn } from './own-account.js'
import type { CheckedCredentials } from './presented.js'
import { lastMoment } from './token-login.js'

/** Issues new credentials for a login whose owner has just proved a passkey, or the password and, if the account has one, the second factor. */
export type RenewLogin = (login: LoggedIn, confirmed: Confirmed) => Promise<Issued>

type Confirmed = {
  readonly account: Account
  readonly presented: CheckedCredentials
  /** When the proof of identity was checked. */
  readonly at: Instant
  readonly passkey?: true | undefined
}

function confirmationOf({ account, at }: Confirmed): NonNullable<RotationRequest['confirmation']> {
  const { secondFactor: factor } = account
  return factor === undefined ? { proved: { at } } : { proved: { at, factorAt: at }, factor }
}

/** A confirmation is retried if a refresh has changed the session in the meantime. */
const MAX_TRIES = 10

/**
 * For logins with sessions: rotates the session, which keeps its ID. The tokens of the request are used up, as in a refresh, so another tab
 * that refreshes with these tokens gets the new pair. Concurrent confirmations with the same credentials get the same new pair.
 */
export function createRenewSession(parts: RenewSessionParts): RenewLogin {
  return async (login, confirmed) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const outcome = await tryToRenew(parts, login, confirmed)
      if (outcome === 'ended') break
      if (outcome !== 'superseded') return outcome
    }
    throw invalidToken('the session has ended, or the cookie is no longer valid')
  }
}

type RenewSessionParts = RotateSessionParts & { readonly issue: Issue }

async function tryToRenew(
  parts: RenewSessionParts,
  { sessionId, epoch }: LoggedIn,
  confirmed: Confirmed,
): Promise<Issued | 'superseded' | 'ended'> {
  const { presented, at } = confirmed
  const active = await parts.sessions.findById(sessionId, at)
  if (active?.account.epoch !== epoch) return 'ended'
  const { session } = active
  const key = presented.sessionKey as SessionKey
  const cookie = { key, digest: parts.sessionKeys.digest(key) }
  const { current, previous, proved } = session
  // Processes' clocks differ, so only a confirmation that spent the same cookie counts as concurrent.
  const isConfirmed = proved?.at === current.issuedAt && cookie.digest === previous?.keyDigest
  const shared = isConfirmed ? currentKey(parts, session, cookie) : undefined
  if (shared) return await parts.issue(active, shared)
  const { client } = presented
  const presentation = {
    from: current.pairId,
    cookie,
    client,
    at,
    confirmation: confirmationOf(confirmed),
  }
  const { rotation, nextKey } = await rotateSession(parts, active, presentation)
  if (rotation.kind === 'rotated') return await parts.issue({ ...active, session: rotation.session }, nextKey)
  return rotation.kind === 'superseded' ? 'superseded' : 'ended'
}

/** For stateless mode: revokes the login and begins a new one, because only a new login gets new credentials immediately. */
export function createRenewStateless({ replaceLogin }: { readonly replaceLogin: ReplaceLogin }): RenewLogin {
  return async (login, confirmed) => {
    const { account, presented, passkey } = confirmed
    const { client } = presented
    const terms = { account, client, endsAt: login.endsAt, passkey, ...confirmationOf(confirmed) }
    return await replaceLogin(login, terms)
  }
}

type PresentedCookie = { readonly key: SessionKey; readonly digest: KeyDigest }

/** The credentials that a client sends to get the next generation. */
export type Presentation = Pick<RotationRequest, 'confirmation'> & {
  readonly from: PairId
  readonly cookie: PresentedCookie | undefined
  readonly client: ClientContext | undefined
  readonly at: Instant
}

export type RotateSessionParts = GivenShared<['tokens', 'sessions', 'sessionKeys', 'lifetimes']> & {
  readonly nextGeneration: NextGeneration
}

/** Asks the store for the next generation of a session. `nextKey` is the new key if the outcome is `rotated`. */
export async function rotateSession(
  parts: RotateSessionParts,
  { session }: ActiveSession,
  { from, cookie, client, at, confirmation }: Presentation,
): Promise<{ readonly rotation: Rotation; readonly nextKey: SessionKey }> {
  const { number } = session.current
  const held = cookie && currentKey(parts, session, cookie)
  const successor = held && parts.sessionKeys.successor(parts.tokens.currentKid, held, session.id, number + 1)
  const network = rateLimitKey(client?.address)
  // Without the right cookie, `rotate` cannot succeed, but it still ends the session if the token was used before.
  const nextKey = successor ?? parts.sessionKeys.fresh()
  const rotation = await parts.sessions.rotate({
    sessionId: session.id,
    from,
    keyDigest: cookie?.digest,
    next: {
      ...parts.nextGeneration(number + 1, parts.sessionKeys.digest(nextKey), at, session.endsAt),
      ...(network !== undefined && { network }),
    },
    at,
    grace: parts.lifetimes.refreshGrace,
    ...(confirmation && { confirmation }),
    found: session,
  })
  return { rotation, nextKey }
}

/** Returns the session's current key if the cookie contains either this key or the previous key. */
export function currentKey(
  parts: Pick<RotateSessionParts, 'sessionKeys'>,
  session: Session,
  { key, digest }: PresentedCookie,
): SessionKey | undefined {
  const { current, previous } = session
  if (digest === current.keyDigest) return key
  if (digest !== previous?.keyDigest) return undefined
  const successor = parts.sessionKeys.successor(current.kid, key, session.id, current.number)
  return successor && parts.sessionKeys.digest(successor) === current.keyDigest ? successor : undefined
}

/** Issues the next pair of a login. The caller must have checked the refresh token and the account. */
export type RenewPair = (renewal: {
  readonly account: Account
  readonly login: PairedLogin
  /** The claims of the presented refresh token. */
  readonly claims: Claims
  readonly client: ClientContext | undefined
  readonly at: Instant
}) => Promise<Issued>

/** Without revocations, the refresh token is not stored, so it works again until it expires. */
export function createIssueNextPair({ issuePair }: { readonly issuePair: IssuePair }): RenewPair {
  return async ({ account, login, at }) => await issuePair(account, login, at)
}

/**
 * With revocations, a refresh token has exactly one successor. A second use within the grace window returns the same pair, byte for byte if
 * the roles are the same. A later use revokes the login and is audited as `refresh.reuse`. Refuses with `invalid-token`, even if the login
 * was revoked only after the call had begun.
 */
export function createRotatePair(
  parts: SignPairParts & GivenShared<['revocations', 'randomness', 'notices', 'audit']>,
): RenewPair {
  const signPair = createSignPair(parts)
  return async ({ account, login, claims, client, at }) => {
    const next = freshPair(parts, at)
    // The pair is signed before the rotation, because a refusal must not use up the refresh token.
    const issued = await signPair(account, login, next)
    const rotation = await parts.revocations.rotate({
      sessionId: login.sessionId,
      from: pairOf(claims),
      next,
      at,
      grace: parts.lifetimes.refreshGrace,
      until: lastMoment(login.endsAt),
    })
    if ('pairs' in rotation) {
      const { current } = rotation.pairs
      return current.pairId === next.pairId ? issued : await signPair(account, login, current)
    }
    if (rotation.kind === 'replayed') {
      const entry = { event: 'refresh.reuse', caller: ANONYMOUS, outcome: 'failure' } as const
      await parts.audit.record({ ...entry, subject: account.id, client })
      // An impersonation counts as a login of its actor.
      const email = login.actor?.email ?? shownEmail(account)
      await parts.notices?.send('refresh-reuse', { email, client })
    }
    throw invalidToken(`refresh: ${rotation.kind}`)
  }
}
