import type { Account } from '../../domain/identity/account.js'
import type { SessionKey } from '../../domain/identity/session.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { identityOf } from './identity-of.js'
import type { Issue, Issued } from './issue.js'
import type { OpenSession } from './open-session.js'
import type { CheckedCredentials } from './presented.js'

/** What a login leads to, for an account whose password was just verified. */
export type StartLogin = (account: Account, presented: CheckedCredentials) => Promise<Issued>

/** What the start of a session is made of. */
export type StartSessionParts = {
  sessions: Sessions
  sessionKeys: SessionKeys
  openSession: OpenSession
  issue: Issue
  audit: AuditTrail
  clock: Clock
}

/** Opens a new session, always; the session of a valid cookie that came along is ended. */
export function createStartSession(parts: StartSessionParts): StartLogin {
  return async (account, presented) => {
    await endPresentedSession(parts, presented)
    const { session, sessionKey } = await parts.openSession(account)
    return await parts.issue(session, account, sessionKey)
  }
}

async function endPresentedSession(
  parts: StartSessionParts,
  { sessionKey, client }: CheckedCredentials,
): Promise<void> {
  if (sessionKey === undefined) return
  const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
  const found = await parts.sessions.find(digest, parts.clock())
  if (!found) return
  await parts.sessions.end(found.session.id)
  if (!found.session.actor) return
  const entry = { event: 'impersonation.end', caller: identityOf(found), subject: found.account.id } as const
  await parts.audit.record({ ...entry, client })
}
