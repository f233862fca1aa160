import type { Identity } from '../../../domain/access/caller.js'
import type { Account } from '../../../domain/identity/account.js'
import type { Actor, SessionId } from '../../../domain/identity/session.js'
import type { Instant } from '../../../domain/instant.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { Randomness } from '../../../ports/randomness.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { Sessions } from '../../../ports/sessions.js'
import type { Issue, Issued } from '../issue.js'
import type { OpenSession } from '../open-session.js'
import { lastMoment } from '../stateless/carried-login.js'
import type { IssuePair } from '../stateless/issue-pair.js'

/** An identity that a login proved. */
export type LoggedIn = Identity & Required<Pick<Identity, 'sessionId' | 'epoch' | 'endsAt'>>

/**
 * Ends one login and begins another in its place: when it resolves the previous credentials are
 * void. Refuses with `invalid-token` where the login was ended by another call meanwhile.
 */
export type ReplaceLogin = (login: LoggedIn, next: NextLogin) => Promise<Issued>

/** The login that takes the place: whose, until when, and who acts. */
export type NextLogin = {
  readonly account: Account
  readonly endsAt: Instant
  readonly actor?: Actor | undefined
}

/** Of any number of calls with one session one goes on: ending it decides. */
export function createReplaceSession(parts: {
  sessions: Sessions
  openSession: OpenSession
  issue: Issue
}): ReplaceLogin {
  return async (login, { account, endsAt, actor }) => {
    if ((await parts.sessions.end(login.sessionId)) === 'unknown') throw invalidToken('the session has ended')
    const { session, sessionKey } = await parts.openSession(account, { endsAt, actor })
    return await parts.issue(session, account, sessionKey)
  }
}

/** In stateless mode the previous tokens are revoked, so there have to be revocations; revoking them decides. */
export function createReplaceStateless(parts: {
  revocations: Revocations
  issuePair: IssuePair
  randomness: Randomness
  clock: Clock
}): ReplaceLogin {
  return async (login, { account, endsAt, actor }) => {
    if ((await parts.revocations.revoke(login.sessionId, lastMoment(login.endsAt))) === 'unchanged')
      throw invalidToken('the login was revoked')
    const sessionId = parts.randomness.base64url(16) as SessionId
    return await parts.issuePair(account, { sessionId, endsAt, actor }, parts.clock())
  }
}

/** What HTTP Basic or an embedder's own credential proves is no login that could be replaced. */
export function assertLogin(identity: Identity): LoggedIn {
  const { sessionId, epoch, endsAt } = identity
  if (sessionId === undefined || epoch === undefined || endsAt === undefined)
    throw invalidToken('the identity has no login')
  return { ...identity, sessionId, epoch, endsAt }
}
