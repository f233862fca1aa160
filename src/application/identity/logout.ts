import { ANONYMOUS, type Caller } from '../../domain/access/caller.js'
import type { Claims } from '../../domain/identity/claims.js'
import type { ActiveSession, SessionKey } from '../../domain/identity/session.js'
import { invalidToken } from '../../domain/refusal.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { mismatch } from './authenticate.js'
import { identityOf } from './identity-of.js'
import { identityOperation, type GivenParts } from './identity-operation.js'
import { claimsOf, presentedInput, type CheckedCredentials } from './presented.js'
import { hasEnded, identityIn, lastMoment, tokenLogin } from './token-login.js'

const PARTS = ['sessions', 'sessionKeys', 'audit', 'clock', 'factorRoles'] as const
type Parts = GivenParts<typeof PARTS>

const LOGOUT = { permission: ['auth', 'logout'], input: presentedInput } as const

/**
 * Ends the session that both the cookie and the bearer token belong to; an expired but authentic token is enough. Does nothing without
 * credentials, or for a token whose session has already ended. Refuses three inputs with `invalid-token`: a token that is not authentic;
 * only the cookie or only the token of an active session; and credentials of different sessions (neither session ends, and the attempt is
 * audited). During an impersonation, also ends the login of the actor.
 */
export const logout = identityOperation({
  ...LOGOUT,
  parts: PARTS,
  run:
    (parts: Parts, { assertPermitted }) =>
    async (presented): Promise<void> => {
      const active = await sessionOf(parts, presented)
      const caller = active ? identityOf(active, parts.factorRoles) : ANONYMOUS
      assertPermitted(caller)
      if (!active) return
      await parts.sessions.end(active.session.id)
      await recordLogout(parts.audit, caller, presented.client)
    },
})

/** A logout also ends an impersonation. */
export async function recordLogout(
  audit: AuditTrail,
  caller: Caller,
  client: ClientContext | undefined,
): Promise<void> {
  const subject = caller.kind === 'account' ? caller.accountId : undefined
  const entry = { caller, subject, client }
  if (caller.kind === 'account' && caller.actor) await audit.record({ ...entry, event: 'impersonation.end' })
  await audit.record({ ...entry, event: 'logout' })
}

/** Resolves with the active session to end, or with `undefined` if no session is active. */
async function sessionOf(
  parts: Parts,
  { accessToken, sessionKey, client }: CheckedCredentials,
): Promise<ActiveSession | undefined> {
  const claims = claimsOf(accessToken)
  if (claims === undefined) {
    if (sessionKey === undefined) return undefined
    throw invalidToken('the bearer token is missing')
  }
  const at = parts.clock()
  const digest = sessionKey && parts.sessionKeys.digest(sessionKey as SessionKey)
  const opened = digest && (await parts.sessions.find(digest, at))
  if (opened) {
    if (opened.session.id === claims.sessionId) return opened
    await parts.audit.tally(mismatch(opened, client))
    throw invalidToken('the cookie and the bearer token belong to different sessions')
  }
  const named = await parts.sessions.findById(claims.sessionId, at)
  // A refresh that won the race against this logout must not keep the session alive.
  if (named && digest !== undefined && named.session.previous?.keyDigest === digest) return named
  if (named) throw invalidToken('the session is active, but its cookie is missing or differs')
  return undefined
}

type StatelessParts = GivenParts<['audit', 'clock', 'revocations'], ['revocations']>

/**
 * Logs out with the bearer token alone, which may have expired. Revokes the login if revocation is enabled; otherwise the tokens stay valid
 * until they expire, and the client must delete them.
 */
export const statelessLogout = identityOperation({
  ...LOGOUT,
  parts: ['audit', 'clock'],
  renamed: { revocations: 'tokenRevocations' },
  run:
    (parts: StatelessParts, { assertPermitted }) =>
    async ({ accessToken, client }): Promise<void> => {
      const claims = claimsOf(accessToken)
      const caller = claims ? identityIn(claims) : ANONYMOUS
      assertPermitted(caller)
      if (!claims || (await hasBeenRevoked(parts, claims))) return
      await parts.revocations?.revoke(claims.sessionId, lastMoment(tokenLogin(claims).endsAt * 1000))
      await recordLogout(parts.audit, caller, client)
    },
})

/** A second logout does nothing, and is not audited again. */
async function hasBeenRevoked({ revocations, clock }: StatelessParts, claims: Claims): Promise<boolean> {
  const at = clock()
  if (at >= lastMoment(tokenLogin(claims).endsAt * 1000)) return true
  return revocations !== undefined && (await hasEnded(revocations, claims, at))
}
