import type { Account } from '../../domain/identity/account.js'
import type { Session, SessionKey } from '../../domain/identity/session.js'
import type { BeginLogin } from './begin-login.js'
import { identityOf } from './identity-of.js'
import type { Issue, Issued } from './issue.js'
import type { LoginTerms, OpenSession } from './open-session.js'
import type { CheckedCredentials } from './presented.js'
import type { TellNewClient } from './tell-new-client.js'
import type { GivenShared } from '../shared-parts.js'

/** Starts the login of an account whose password or passkey was just verified; `factor` is set if a second factor was also verified. */
export type StartLogin = (
  account: Account,
  presented: CheckedCredentials,
  login?: Pick<LoginTerms, 'factor' | 'passkey' | 'remember'>,
) => Promise<Issued>

/** The dependencies needed to start a session. */
export type StartSessionParts = GivenShared<['sessions', 'sessionKeys', 'audit', 'clock']> & {
  openSession: OpenSession
  issue: Issue
  /** Absent if accounts are not notified about a new client. */
  tellNewClient?: TellNewClient | undefined
}

/** Always opens a new session, and ends the existing session if the request has a valid cookie. */
export function createStartSession(parts: StartSessionParts): StartLogin {
  return async (account, presented, login = {}) => {
    const { client } = presented
    const replaced = await endPresentedSession(parts, presented)
    const { session, sessionKey } = await parts.openSession(account, { ...login, client })
    await parts.tellNewClient?.({ account, session, replaced, client })
    return await parts.issue({ session, account }, sessionKey)
  }
}

async function endPresentedSession(
  parts: StartSessionParts,
  { sessionKey, client }: CheckedCredentials,
): Promise<Session | undefined> {
  if (sessionKey === undefined) return undefined
  const digest = parts.sessionKeys.digest(sessionKey as SessionKey)
  const found = await parts.sessions.find(digest, parts.clock())
  if (!found) return undefined
  await parts.sessions.end(found.session.id)
  if (!found.session.actor) return found.session
  const entry = { event: 'impersonation.end', caller: identityOf(found), subject: found.account.id } as const
  await parts.audit.record({ ...entry, client })
  return undefined
}

/** For stateless mode, in which there is no session to end and no cookie to set. */
export function createStartStateless({ beginLogin }: { beginLogin: BeginLogin }): StartLogin {
  return (account, { client }, { factor, passkey } = {}) => beginLogin(account, { client, factor, passkey })
}
