import type { Accounts } from '../../ports/accounts.js'
import type { Sessions } from '../../ports/sessions.js'
import { namedAccount, noSuchAccount } from '../accounts/named-account.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from './authorize.js'

/**
 * Ends every session of the account: after it returns no earlier credential is good. A user who
 * knows the password can log in again. Returns how many there were. Refuses with `forbidden`,
 * `invalid` and `not-found`.
 */
export type RevokeSessions = (input: {
  authorized: Authorized<'session', 'revoke'>
  email: string
}) => Promise<number>

/** Takes the proof of `session: revoke`. */
export function createRevokeSessions(parts: {
  accounts: Accounts
  sessions: Sessions
  audit: AuditTrail
}): RevokeSessions {
  return async ({ authorized: { caller }, email }) => {
    const { id } = await namedAccount(parts.accounts, email)
    // One call, one point in time: also for tokens of which no session is stored, and for a login under way.
    const ended = await parts.sessions.endAllOf(id)
    if (ended === undefined) throw noSuchAccount()
    await parts.audit.record({ event: 'session.revoke', caller, subject: id })
    return ended
  }
}
