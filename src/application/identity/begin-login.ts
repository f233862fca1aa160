import { shownEmail, type Account } from '../../domain/identity/account.js'
import { proofOf, type SessionId, type Session, type SessionKey } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import { invalidToken } from '../../domain/refusal.js'
import type { Revocations, Sessions } from '../../ports/sessions.js'
import type { AuditEntry, AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import type { Notices } from '../mail/queue-mail.js'
import type { GivenShared } from '../shared-parts.js'
import { identityOf } from './identity-of.js'
import type { Issue, Issued, IssuePair } from './issue.js'
import type { LoginTerms, OpenSession } from './open-session.js'
import type { LoggedIn } from './own-account.js'
import type { CheckedCredentials } from './presented.js'
import { currentFactor, lastMoment, type CurrentFactorParts } from './token-login.js'

/**
 * Begins a login for the account with new credentials; other credentials remain valid. The caller must have verified the account.
 * `ReplaceLogin` also ends an existing login.
 */
export type BeginLogin = (account: Account, login: LoginTerms) => Promise<Issued>

export function createBeginSession(parts: { openSession: OpenSession; issue: Issue }): BeginLogin {
  return async (account, login) => {
    const { session, sessionKey } = await parts.openSession(account, login)
    return await parts.issue({ session, account, ...defined({ actorFactor: session.factor }) }, sessionKey)
  }
}

/** Creates `BeginLogin` for stateless mode; stores nothing, because the token pair is the login. */
export function createBeginStateless(
  parts: CurrentFactorParts & GivenShared<['lifetimes', 'randomness', 'clock']> & { issuePair: IssuePair },
): BeginLogin {
  return async (account, { endsAt, actor, factor: verified, proved, passkey }) => {
    const factor = await currentFactor(parts, actor?.accountId ?? account.id, verified)
    const at = parts.clock()
    const sessionId = parts.randomness.base64url(16) as SessionId
    const login = {
      sessionId,
      endsAt: endsAt ?? at + parts.lifetimes.session,
      actor,
      factor,
      passkey,
      proved: proved ?? proofOf({ createdAt: at, ...defined({ factor }) }),
    }
    return await parts.issuePair(account, login, at)
  }
}

/** Starts the login of an account whose password or passkey was just verified; `factor` is set if a second factor was also verified. */
export type StartLogin = (
  account: Account,
  presented: CheckedCredentials,
  login?: Pick<LoginTerms, 'factor' | 'passkey' | 'remember'>,
) => Promise<Issued>

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

/** Sends a notice of a login if no other active session of the account began with the same client. */
type TellNewClient = (begun: {
  readonly account: Account
  readonly session: Session
  /** The session that this login replaces, if it replaces a session. */
  readonly replaced?: Session | undefined
  readonly client: ClientContext | undefined
}) => Promise<void>

const PAGE = 100
/** No notice is sent if the account's sessions fill more than this many pages, because no real user has that many sessions. */
const PAGES = 10

/** Reads nothing if notices about new clients are off. */
export function createTellNewClient({
  sessions,
  notices,
}: {
  sessions: Sessions
  notices: Notices
}): TellNewClient {
  return async ({ account, session, replaced, client }) => {
    await notices.send('new-client', async () => {
      const isReplacement = replaced?.accountId === account.id && isSameClient(replaced, session)
      if (isReplacement || (await isKnown(sessions, session))) return undefined
      return { email: shownEmail(account), client, about: session.openedBy?.client }
    })
  }
}

/** Only earlier sessions are compared; otherwise two concurrent logins with a new client would hide each other. */
async function isKnown(sessions: Sessions, session: Session): Promise<boolean> {
  const { accountId, createdAt: at } = session
  let after: Session | undefined
  for (let page = 0; page < PAGES; page += 1) {
    const found = await sessions.pageOf({ accountId, ...(after && { after }), limit: PAGE, at })
    const earlier = found.filter((one) => isBefore(one, session))
    if (earlier.some((one) => !one.actor && isSameClient(one, session))) return true
    if (earlier.length < PAGE) return false
    after = found.at(-1)
  }
  return true
}

function isBefore(one: Session, other: Session): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id)
}

/** Clients without a name are treated as the same client. */
function isSameClient(one: Session, other: Session): boolean {
  return withoutVersion(one) === withoutVersion(other)
}

/** Removes the version (`Firefox on Linux` for `Firefox 130 on Linux`), because browsers update themselves every few weeks. */
function withoutVersion({ openedBy }: Session): string | undefined {
  return openedBy?.client?.replace(/ \d+(?= on |$)/, '')
}

/**
 * Ends a login and begins its replacement; once the call resolves, the previous credentials are invalid. Refuses with `invalid-token` if
 * another call has ended the login in the meantime.
 */
export type ReplaceLogin = (login: LoggedIn, next: NextLogin) => Promise<Issued>

export type NextLogin = LoginTerms & { readonly account: Account; readonly endsAt: Instant }

/** Only one of several concurrent calls ends the session, and only this call begins a new login. */
export function createReplaceSession(parts: { sessions: Sessions; beginLogin: BeginLogin }): ReplaceLogin {
  return async (login, { account, ...next }) => {
    if ((await parts.sessions.end(login.sessionId)) === 'unknown') throw invalidToken('the session has ended')
    return await parts.beginLogin(account, next)
  }
}

/**
 * For stateless mode. Of several concurrent calls, only one can revoke the previous tokens. Without revocations, the previous tokens stay
 * valid until they expire, so callers must not assume that these tokens are invalid.
 */
export function createReplaceStateless(parts: {
  revocations?: Revocations | undefined
  beginLogin: BeginLogin
}): ReplaceLogin {
  return async (login, { account, ...next }) => {
    // Begins the new login first, so that a refusal does not end the previous login; beginning a login stores nothing.
    const issued = await parts.beginLogin(account, next)
    const outcome = await parts.revocations?.revoke(login.sessionId, lastMoment(login.endsAt))
    if (outcome === 'unchanged') throw invalidToken('the login was revoked')
    return issued
  }
}

/** Audits the entry before `work` starts; if the audit fails, `work` does not start. A failure of `work` is also audited. */
export async function withAudit<T>(audit: AuditTrail, entry: AuditEntry, work: () => Promise<T>): Promise<T> {
  await audit.assert(entry)
  try {
    return await work()
  } catch (error) {
    await audit.record({ ...entry, outcome: 'failure' })
    throw error
  }
}
