import type { Caller } from '../../domain/access/caller.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorize } from '../access/authorize.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Disables an account: when it returns, all its sessions and refresh tokens are dead and it
 * cannot log in. One that is disabled stays as it is. Refuses with `forbidden`, `invalid` and
 * `not-found`.
 */
export type DisableUser = (input: { caller: Caller; email: string }) => Promise<void>

/** Needs the grant `user: disable`. */
export function createDisableUser(parts: {
  authorize: Authorize
  accounts: Accounts
  audit: AuditTrail
  clock: Clock
}): DisableUser {
  return async ({ caller, email }) => {
    parts.authorize(caller, 'user', 'disable')
    const { id } = await namedAccount(parts.accounts, email)
    if ((await parts.accounts.setDisabled(id, parts.clock())) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.disable', caller, subject: id })
  }
}
