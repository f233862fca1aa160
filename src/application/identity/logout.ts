import { ANONYMOUS, type Caller } from '../../domain/access/caller.js'
import type { Claims } from '../../domain/identity/claims.js'
import type { ActiveSession, SessionKey } from '../../domain/identity/session.js'
import { invalidToken } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Authorize } from '../access/authorize.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import { mismatch } from './authenticate.js'
import { claimsOf } from './check-access-token.js'
import type { FactorRoles } from './factor-roles.js'
import { identityOf } from './identity-of.js'
import type { CheckedCredentials } from './presented.js'

/**
 * Ends the session that cookie and bearer token name together; an expired but authentic token
 * is enough. Harmless where nothing is presented or the token's session has ended already.
 * Refuses with `invalid-token` for anything else: a token that is not authentic, half of the
 * credentials of an active session, credentials of different sessions (none of them is ended, and it
 * is audited). During an impersonation it ends the login of the actor altogether.
 */
export type Logout = (presented: CheckedCredentials) => Promise<void>

/** What a logout is made of. */
export type LogoutParts = {
  authorize: Authorize
  sessions: Sessions
  sessionKeys: SessionKeys
  audit: AuditTrail
  clock: Clock
  /** None where every role counts in every login. */
  factorRoles?: FactorRoles | undefined
}

/** Needs the permission `auth: logout`. For logins with sessions. */
export function createLogout(parts: LogoutParts): Logout {
  return async ({ accessToken, sessionKey, client }) => {
    const claims = claimsOf(accessToken)
    const cookie = sessionKey as SessionKey | undefined
    const active = await sessionOf(parts, { claims, cookie, client })
    const caller = active ? identityOf(active, parts.factorRoles) : ANONYMOUS
    parts.authorize(caller, 'auth', 'logout')
    if (!active) return
    await parts.sessions.end(active.session.id)
    await recordLogout(parts.audit, caller, client)
  }
}

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

/** The active session to end, `undefined` where there is nothing left to end. */
async function sessionOf(
  parts: LogoutParts,
  {
    claims,
    cookie,
    client,
  }: { claims?: Claims | undefined; cookie?: SessionKey | undefined; client?: ClientContext | undefined },
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
  // A refresh that won the race against this logout must not keep the session alive, however short the window.
  if (named && digest !== undefined && named.session.previous?.keyDigest === digest) return named
  if (named) throw invalidToken('the cookie of an active session is missing or another')
  return undefined
}
