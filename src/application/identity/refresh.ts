import { shownEmail } from '../../domain/identity/account.js'
import type { ActiveSession, SessionKey } from '../../domain/identity/session.js'
import { invalidToken } from '../../domain/refusal.js'
import { rateLimitKey } from '../../domain/identity/address.js'
import type { Rotation } from '../../domain/identity/rotation.js'
import { mismatch } from './authenticate.js'
import { checkRefreshTokens, REFRESH } from './check-refresh-tokens.js'
import { identityOf } from './identity-of.js'
import { identityOperation } from './identity-operation.js'
import { pairOf, type Issued } from './issue.js'
import type { GivenParts } from './part-types.js'
import { currentKey, rotateSession, type Presentation } from './renew-login.js'

const PARTS = [
  ...(['tokens', 'sessions', 'sessionKeys', 'nextGeneration', 'issue', 'refuseLapsed'] as const),
  ...(['lifetimes', 'attempts', 'notices', 'audit', 'clock', 'factorRoles'] as const),
] as const
type Parts = GivenParts<typeof PARTS>

/**
 * Rotates a session by one generation. Requires the refresh token and the cookie of the same session. Any number of calls with one refresh
 * token rotate the session only once. A call with a used token returns the current pair, byte for byte, if it has the current cookie (for
 * example, after a tab was suspended), or the previous cookie within the grace period. Otherwise, the call ends the session and records
 * this in the audit log. Refuses the call with `malformed`, with `unauthenticated` or `forbidden` (permission), or with `invalid-token`.
 */
export const refresh = identityOperation({
  ...REFRESH,
  parts: PARTS,
  run:
    (parts: Parts, { assertPermitted }) =>
    async (input): Promise<Issued> => {
      const { claims, at } = await checkRefreshTokens(parts, input)
      const active = await parts.sessions.findById(claims.sessionId, at)
      if (!active || active.account.id !== claims.subject) throw invalidToken('the session is not active')
      assertPermitted(identityOf(active, parts.factorRoles))
      const { sessionKey: key, client } = input.presented
      const cookie =
        key === undefined
          ? undefined
          : { key: key as SessionKey, digest: parts.sessionKeys.digest(key as SessionKey) }
      const presentation = { from: pairOf(claims), cookie, client, at }
      await refuseForeignCookie(parts, active, presentation)
      await parts.refuseLapsed(active, client)
      return await rotate(parts, active, presentation)
    },
})

/**
 * Before the rotation, refuses a cookie with the active key of another session, so that a request with mixed credentials ends no session.
 */
async function refuseForeignCookie(
  parts: Parts,
  { session }: ActiveSession,
  { cookie, client, at }: Presentation,
): Promise<void> {
  if (!cookie || [session.current.keyDigest, session.previous?.keyDigest].includes(cookie.digest)) return
  const other = await parts.sessions.find(cookie.digest, at)
  if (!other || other.session.id === session.id) return
  await parts.audit.tally(mismatch(other, client))
  throw invalidToken('the cookie belongs to another session')
}

async function rotate(parts: Parts, active: ActiveSession, presentation: Presentation): Promise<Issued> {
  const { cookie, client, at } = presentation
  const { rotation: outcome, nextKey } = await rotateSession(parts, active, presentation)
  if (outcome.kind === 'rotated') return await parts.issue({ ...active, session: outcome.session }, nextKey)
  await recordMisuse(parts, outcome.kind, active, { cookie, client })
  if (outcome.kind !== 'superseded') throw invalidToken(`refresh: ${outcome.kind}`)
  const key = cookie && currentKey(parts, outcome.session, cookie)
  if (!key) throw invalidToken('refresh: the session key of the successor cannot be derived again')
  const successorOf = { ...active, session: outcome.session }
  await auditSharedRefresh(parts, successorOf, { client, at })
  return await parts.issue(successorOf, key)
}

async function recordMisuse(
  { audit, notices }: Pick<Parts, 'audit' | 'notices'>,
  kind: Rotation['kind'],
  active: ActiveSession,
  { cookie, client }: Pick<Presentation, 'cookie' | 'client'>,
): Promise<void> {
  // A missing cookie is not a mismatch.
  if (kind === 'mismatched' && cookie !== undefined) await audit.tally(mismatch(active, client))
  if (kind !== 'replayed') return
  await audit.record({ ...mismatch(active, client), event: 'refresh.reuse' })
  const { session, account } = active
  // An impersonation counts as a login of its actor.
  const email = session.actor?.email ?? shownEmail(account)
  await notices?.send('refresh-reuse', { email, client, about: session.openedBy?.client })
}

const ONCE_A_MINUTE = { count: 1, window: 60_000 }

/**
 * Audits that the current pair was sent again, this time to a different network: the client may be a laptop that changed networks, or a
 * thief. Audits at most once a minute for each session, across all processes.
 */
export async function auditSharedRefresh(
  { attempts, audit }: Pick<Parts, 'attempts' | 'audit'>,
  { session, account }: ActiveSession,
  { client, at }: Pick<Presentation, 'client' | 'at'>,
): Promise<void> {
  const [last, now] = [session.current.network, rateLimitKey(client?.address)]
  if (last === undefined || now === undefined || last === now) return
  const name = `refresh shared ${session.id}`
  const { kind } = await attempts.take([{ name, limit: ONCE_A_MINUTE }], at)
  if (kind === 'refused') return
  const caller = identityOf({ session, account })
  await audit.record({ event: 'refresh.shared', caller, subject: account.id, client })
}
