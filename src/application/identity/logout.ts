import { ANONYMOUS, type Caller } from '../../domain/access/caller.js'
import type { Claims } from '../../domain/identity/claims.js'
import type { ActiveSession, SessionKey } from '../../domain/identity/session.js'
import { invalidToken } from '../../domain/refusal.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { mismatch } from './authenticate.js'
import { claimsOf } from './check-access-token.js'
import { identityOf } from './identity-of.js'
import { identityOperation } from './identity-operation.js'
import type { Given } from './part-types.js'
import { presentedInput } from './presented.js'

const PARTS = ['sessions', 'sessionKeys', 'audit', 'clock', 'factorRoles'] as const
type Parts = Given<typeof PARTS>

/** Permission and input of a logout in every mode. */
export const LOGOUT = { permission: ['auth', 'logout'], input: presentedInput } as const

/**
 * Ends the session that cookie and bearer token name together; an expired but authentic token is enough. It does
 * nothing without credentials and for a token whose session has ended already. Refuses with `invalid-token` a token
 * that is not authentic, the cookie or the token of an active session alone, and credentials of different sessions
 * (neither session ends, and the attempt is audited). During an impersonation it ends the login of the actor
 * altogether.
 */
export const logout = identityOperation({
  ...LOGOUT,
  parts: PARTS,
  run:
    (parts: Parts, { permit }) =>
    async ({ accessToken, sessionKey, client }): Promise<void> => {
      const claims = claimsOf(accessToken)
      const cookie = sessionKey as SessionKey | undefined
      const active = await sessionOf(parts, { claims, cookie, client })
      const caller = active ? identityOf(active, parts.factorRoles) : ANONYMOUS
      permit(caller)
      if (!active) return
      await parts.sessions.end(active.session.id)
      await recordLogout(parts.audit, caller, client)
    },
})

/** An impersonation ends with the login. */
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

type LogoutCredentials = {
  readonly claims: Claims | undefined
  readonly cookie: SessionKey | undefined
  readonly client: ClientContext | undefined
}

/** The active session to end, or `undefined` if none is left. */
async function sessionOf(
  parts: Parts,
  { claims, cookie, client }: LogoutCredentials,
): Promise<ActiveSession | undefined> {
  if (claims === undefined) {
    if (cookie === undefined) return undefined
    throw invalidToken('the bearer token is missing')
  }
  const at = parts.clock()
  const digest = cookie && parts.sessionKeys.digest(cookie)
  const opened = digest && (await parts.sessions.find(digest, at))
  if (opened) {
    if (opened.session.id === claims.sessionId) return opened
    await parts.audit.tally(mismatch(opened, client))
    throw invalidToken('cookie and bearer token are of different sessions')
  }
  const named = await parts.sessions.findById(claims.sessionId, at)
  // A refresh that won the race against this logout must not keep the session alive.
  if (named && digest !== undefined && named.session.previous?.keyDigest === digest) return named
  if (named) throw invalidToken('the cookie of an active session is missing or another')
  return undefined
}
