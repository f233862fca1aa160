import { shownEmail } from '../../domain/identity/account.js'
import { rateLimitKey } from '../../domain/identity/address.js'
import type { Claims } from '../../domain/identity/claims.js'
import type { Rotation } from '../../domain/identity/rotation.js'
import type { ActiveSession, SessionKey } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { REQUIRED } from '../../domain/messages.js'
import { invalidToken, Refusal } from '../../domain/refusal.js'
import type { Revocations } from '../../ports/sessions.js'
import type { Clock } from '../../ports/system.js'
import type { TokenSigner } from '../../ports/tokens.js'
import { mismatch } from './authenticate.js'
import { identityOf } from './identity-of.js'
import { identityOperation, type GivenParts } from './identity-operation.js'
import type { RefuseLapsedLogin } from './impersonation/guards.js'
import { pairOf, sessionOf, type Issued } from './issue.js'
import { ownAccount } from './own-account.js'
import { claimsOf, unexpiredClaims, formText, formParser, type CheckedCredentials } from './presented.js'
import { currentKey, rotateSession, type Presentation } from './renew-login.js'
import { actorIn, currentFactor, isRevoked, tokenLogin } from './token-login.js'

const REFRESH = {
  permission: ['auth', 'refresh'],
  input: formParser({ refreshToken: formText }),
} as const

/**
 * Resolves with the time of a refresh and the claims of its refresh token, without reading the store. An expired access token of the same
 * login is not an error. Refuses the call with `malformed` if the refresh token is not a string, and with `invalid-token` if it is not
 * valid.
 */
export async function checkRefreshTokens(
  { tokens, clock }: { readonly tokens: TokenSigner; readonly clock: Clock },
  input: { readonly refreshToken: unknown; readonly presented: CheckedCredentials },
): Promise<{ readonly claims: Claims; readonly at: Instant }> {
  const at = clock()
  const { refreshToken } = REFRESH.input.read(input)
  const { accessToken } = input.presented
  const access = claimsOf(accessToken)
  if (!refreshToken) {
    throw new Refusal('invalid-token', [{ field: 'refreshToken', type: 'Required', message: REQUIRED }])
  }
  const judged = await tokens.verify('refresh', refreshToken, at)
  if (judged.kind !== 'valid')
    throw invalidToken(judged.kind === 'invalid' ? judged.detail : 'the refresh token has expired')
  const { claims } = judged
  if (access === undefined || access.sessionId === claims.sessionId) return { claims, at }
  unexpiredClaims(accessToken, at)
  throw invalidToken('the access token and the refresh token belong to different sessions')
}

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

const STATELESS_PARTS = [
  'tokens',
  'accounts',
  'renewPair',
  'clock',
  'metrics',
  'factorRoles',
  'secondFactors',
] as const
type StatelessParts = GivenParts<typeof STATELESS_PARTS, ['secondFactors']> & {
  readonly refuseLapsed: RefuseLapsedLogin
  /** Without revocations, a logout has no effect on tokens. */
  readonly revocations?: Revocations | undefined
}

/**
 * Refreshes a login with the refresh token alone. The new pair contains the current roles of the account. Refuses with `invalid-token` if the
 * account was deleted or disabled or its password was changed since the token was issued, and with `forbidden` if the roles do not fit into
 * a token. `RenewPair` decides what happens to the refresh token.
 */
export const statelessRefresh = identityOperation({
  ...REFRESH,
  parts: STATELESS_PARTS,
  optional: ['secondFactors'],
  renamed: { refuseLapsed: 'refuseLapsedLogin', revocations: 'tokenRevocations' },
  run:
    (parts: StatelessParts, { assertPermitted }) =>
    async (input): Promise<Issued> => {
      const { client } = input.presented
      const { claims, at } = await checkRefreshTokens(parts, input)
      const { endsAt, epoch, factor: provedFactor, proved, passkey } = tokenLogin(claims)
      if (at >= endsAt * 1000) throw invalidToken('the login has ended')
      const account = await ownAccount(parts, { accountId: claims.subject, epoch })
      await parts.refuseLapsed(claims, client)
      if (parts.revocations && (await isRevoked(parts.revocations, claims, at)))
        throw invalidToken('the login was revoked')
      const actor = actorIn(claims)
      const factor = await currentFactor(parts, actor?.accountId ?? account.id, provedFactor)
      const login = {
        sessionId: claims.sessionId,
        endsAt: endsAt * 1000,
        actor,
        factor,
        proved,
        passkey,
      }
      assertPermitted(
        identityOf({ account, session: sessionOf(login), actorFactor: factor }, parts.factorRoles),
      )
      const issued = await parts.renewPair({ account, login, claims, client, at })
      // Successes are counted here, because the wrapped store counts only replays.
      parts.metrics?.refreshTried('renewed')
      return issued
    },
})
