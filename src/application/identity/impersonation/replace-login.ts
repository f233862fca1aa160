import type { Account } from '../../../domain/identity/account.js'
import type { Instant } from '../../../domain/instant.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Revocations } from '../../../ports/revocations.js'
import type { Sessions } from '../../../ports/sessions.js'
import type { AuditEntry, AuditTrail } from '../../audit/audit-trail.js'
import type { BeginLogin } from '../begin-login.js'
import type { Issued } from '../issue.js'
import type { LoginTerms } from '../open-session.js'
import type { LoggedIn } from '../own-account.js'
import { lastMoment } from '../stateless/token-login.js'

/**
 * Ends a login and begins its replacement; once the call resolves, the previous credentials are invalid. Refuses with `invalid-token` if
 * another call has ended the login in the meantime.
 */
export type ReplaceLogin = (login: LoggedIn, next: NextLogin) => Promise<Issued>

/** The login that replaces the previous login. */
export type NextLogin = LoginTerms & { readonly account: Account; readonly endsAt: Instant }

/** Of several concurrent calls, only one can end the session, and only that one begins a new login. */
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
