import type { Accounts } from '../../ports/accounts.js'
import type { Sessions } from '../../ports/sessions.js'
import { namedAccount, noSuchAccount } from '../accounts/named-account.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'

/**
 * Ends every session of the account and resolves with their number: after it no earlier credential is valid. A user who knows
 * the password can log in again. Refuses with `invalid` and `not-found`.
 */
export const revokeSessions = operation({
  permission: ['session', 'revoke'],
  input: fields({ email: text }),
  parts: ['accounts', 'sessions', 'audit'],
  run:
    ({ accounts, sessions, audit }: { accounts: Accounts; sessions: Sessions; audit: AuditTrail }) =>
    async ({ caller, email }) => {
      const { id } = await namedAccount(accounts, email)
      // One call ends everything at one moment, also tokens without a stored session and a login in progress.
      const ended = await sessions.endAllOf(id)
      if (ended === undefined) throw noSuchAccount()
      await audit.record({ event: 'session.revoke', caller, subject: id })
      return ended
    },
})
