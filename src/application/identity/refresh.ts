import { shownEmail } from '../../domain/identity/account.js'
import type {
  ActiveSession,
  KeyDigest,
  Lifetimes,
  PairId,
  Session,
  SessionKey,
} from '../../domain/identity/session.js'
import { invalidToken } from '../../domain/refusal.js'
import type { Instant } from '../../domain/instant.js'
import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import type { AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Rotation } from '../../domain/identity/rotation.js'
import type { Sessions } from '../../ports/sessions.js'
import type { TokenSigner } from '../../ports/token-signer.js'
import type { Authorize } from '../access/authorize.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import type { Notices } from '../mail/notices.js'
import { auditSharedRefresh } from './audit-shared-refresh.js'
import { mismatch } from './authenticate.js'
import type { FactorRoles } from './factor-roles.js'
import { identityOf } from './identity-of.js'
import { checkRefreshTokens } from './check-refresh-tokens.js'
import type { RefuseLapsed } from './impersonation/refuse-lapsed.js'
import { pairOf, type Issue, type Issued } from './issue.js'
import type { NextGeneration } from './open-session.js'
import type { CheckedCredentials } from './presented.js'

/**
 * Moves a session on by one generation. Needs the refresh token and the cookie of one session.
 * Any number of calls with one refresh token move it once. A spent token gets the current pair, to
 * the byte, where the cookie is the current one (a tab slept), or the previous one inside the grace
 * window; else it ends the session, and is audited. Refuses with `malformed`, `unauthenticated` or `forbidden` (permission), else `invalid-token`.
 */
export type Refresh = (input: { refreshToken: unknown; presented: CheckedCredentials }) => Promise<Issued>

/** What a refresh is made of. `lifetimes` are those that the sessions were opened with. */
export type RefreshParts = {
  authorize: Authorize
  tokens: TokenSigner
  sessions: Sessions
  sessionKeys: SessionKeys
  nextGeneration: NextGeneration
  issue: Issue
  refuseLapsed: RefuseLapsed
  lifetimes: Lifetimes
  /** So that what is audited of a session is so once a minute. */
  attempts: AttemptLimiter
  notices?: Notices | undefined
  audit: AuditTrail
  clock: Clock
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}

/** Needs the permission `auth: refresh`. For logins with sessions. */
export function createRefresh(parts: RefreshParts): Refresh {
  return async ({ refreshToken, presented }) => {
    const at = parts.clock()
    const claims = await checkRefreshTokens(parts.tokens, { refreshToken, presented, at })
    const active = await parts.sessions.findById(claims.sessionId, at)
    if (!active || active.account.id !== claims.subject) throw invalidToken('the session is not active')
    parts.authorize(identityOf(active, parts.factorRoles), 'auth', 'refresh')
    const { sessionKey: key, client } = presented
    const cookie =
      key === undefined
        ? undefined
        : { key: key as SessionKey, digest: parts.sessionKeys.digest(key as SessionKey) }
    const presentation = { from: pairOf(claims), cookie, client, at }
    await refuseForeignCookie(parts, active, presentation)
    await parts.refuseLapsed(active, client)
    return await rotate(parts, active, presentation)
  }
}

/** The session key that a cookie holds; it is digested once. */
type Cookie = { readonly key: SessionKey; readonly digest: KeyDigest }

type Presentation = {
  readonly from: PairId
  readonly cookie: Cookie | undefined
  readonly client: ClientContext | undefined
  readonly at: Instant
}

/** The active key of another session: refused before anything is judged spent, so nothing is ended. */
async function refuseForeignCookie(
  parts: RefreshParts,
  { session }: ActiveSession,
  { cookie, client, at }: Presentation,
): Promise<void> {
  if (!cookie || [session.current.keyDigest, session.previous?.keyDigest].includes(cookie.digest)) return
  const other = await parts.sessions.find(cookie.digest, at)
  if (!other || other.session.id === session.id) return
  await parts.audit.tally(mismatch(other, client))
  throw invalidToken('the cookie is of another session')
}

async function rotate(
  parts: RefreshParts,
  active: ActiveSession,
  { from, cookie, client, at }: Presentation,
): Promise<Issued> {
  const { session, account } = active
  const { number } = session.current
  const held = cookie && currentKey(parts, session, cookie)
  const successor = held && parts.sessionKeys.successor(parts.tokens.currentKid, held, session.id, number + 1)
  const network = rateLimitKey(client?.address)
  // Without the right cookie the call cannot move the session; it is made because a spent token still has to end it.
  const nextKey = successor ?? parts.sessionKeys.fresh()
  const outcome = await parts.sessions.rotate({
    sessionId: session.id,
    from,
    keyDigest: cookie?.digest,
    next: {
      ...parts.nextGeneration(number + 1, parts.sessionKeys.digest(nextKey), at, session.endsAt),
      ...(network !== undefined && { network }),
    },
    at,
    grace: parts.lifetimes.refreshGrace,
    found: session,
  })
  if (outcome.kind === 'rotated') return await parts.issue(outcome.session, account, nextKey)
  await recordMisuse(parts, outcome.kind, active, { cookie, client })
  if (outcome.kind !== 'superseded') throw invalidToken(`refresh: ${outcome.kind}`)
  const key = cookie && currentKey(parts, outcome.session, cookie)
  if (!key) throw invalidToken('refresh: the key of the successor cannot be made again')
  await auditSharedRefresh(parts, { ...active, session: outcome.session }, { client, at })
  return await parts.issue(outcome.session, account, key)
}

async function recordMisuse(
  { audit, notices }: Pick<RefreshParts, 'audit' | 'notices'>,
  kind: Rotation['kind'],
  active: ActiveSession,
  { cookie, client }: Pick<Presentation, 'cookie' | 'client'>,
): Promise<void> {
  // Without a cookie there is nothing that does not belong to the token.
  if (kind === 'mismatched' && cookie !== undefined) await audit.tally(mismatch(active, client))
  if (kind !== 'replayed') return
  await audit.record({ ...mismatch(active, client), event: 'refresh.reuse' })
  const { session, account } = active
  // An impersonation is its actor's login.
  const email = session.actor?.email ?? shownEmail(account)
  await notices?.send('refresh-reuse', { email, client, about: session.openedBy?.client })
}

/** The session's current key, from a cookie that holds it or the one before it. */
function currentKey(parts: RefreshParts, session: Session, { key, digest }: Cookie): SessionKey | undefined {
  const { current, previous } = session
  if (digest === current.keyDigest) return key
  if (digest !== previous?.keyDigest) return undefined
  const successor = parts.sessionKeys.successor(current.kid, key, session.id, current.number)
  return successor && parts.sessionKeys.digest(successor) === current.keyDigest ? successor : undefined
}
