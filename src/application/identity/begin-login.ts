import type { Account } from '../../domain/identity/account.js'
import { defined } from '../../domain/plain-data.js'
import { proofOf, type SessionId } from '../../domain/identity/session.js'
import type { Issue, Issued } from './issue.js'
import type { LoginTerms, OpenSession } from './open-session.js'
import { currentFactor, type CurrentFactorParts } from './stateless/token-login.js'
import type { IssuePair } from './stateless/issue-pair.js'
import type { GivenShared } from '../shared-parts.js'

/**
 * Begins a login for the account with new credentials; other credentials remain valid. The caller must have verified the account.
 * `ReplaceLogin` also ends an existing login.
 */
export type BeginLogin = (account: Account, login: LoginTerms) => Promise<Issued>

/** Creates the `BeginLogin` for logins with sessions; it opens a session. */
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
