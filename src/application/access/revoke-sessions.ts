import type { Caller } from '../../domain/access/caller.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Sessions } from '../../ports/sessions.js'
import { namedAccount } from '../accounts/named-account.js'
import type { Authorize } from './authorize.js'

/**
 * Ends every session of the account: after it returns no credential of before is good. Whoever
 * knows the password can log in again. Returns how many there were. Refuses with `forbidden`,
 * `invalid` and `not-found`.
 */
export type RevokeSessions = (ask: { caller: Caller; email: string }) => Promise<number>

export function createRevokeSessions(parts: {
  authorize: Authorize
  accounts: Accounts
  sessions: Sessions
}): RevokeSessions {
  return async ({ caller, email }) => {
    parts.authorize(caller, 'session', 'revoke')
    const { id } = await namedAccount(parts.accounts, email)
    return await parts.sessions.endAllOf(id)
  }
}
