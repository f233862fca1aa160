import type { Account } from '../../domain/identity/account.js'
import type { SessionKey } from '../../domain/identity/session.js'
import type { Clock } from '../../ports/clock.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { BeginLogin } from './begin-login.js'
import { identityOf } from './identity-of.js'
import type { Issued } from './issue.js'
import type { CheckedCredentials } from './presented.js'

/** What a login leads to, for an account whose password was just verified. */
export type StartLogin = (account: Account, presented: CheckedCredentials) => Promise<Issued>

/** What the start of a session is made of. */
export type StartSessionParts = {
  sessions: Sessions
  sessionKeys: SessionKeys
  beginLogin: BeginLogin
  audit: AuditTrail
  clock: Clock
}

/** Opens a new session, always; the session of a valid cookie that came along is ended. */
export function createStartSession(parts: StartSessionParts): StartLogin {
  return async (account, presented) => {
    await endPresentedSession(parts, presented)
    return await parts.beginLogin(account, { client: presented.client })
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

/** In stateless mode there is no session that could be ended. */
export function createStartStateless({ beginLogin }: { beginLogin: BeginLogin }): StartLogin {
  return (account, { client }) => beginLogin(account, { client })
}
