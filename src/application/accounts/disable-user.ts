import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from '../access/authorize.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Disables an account: when it returns, all its sessions and refresh tokens are dead and it
 * cannot log in. One that is disabled stays as it is. Refuses with `forbidden`, `invalid` and
 * `not-found`.
 */
export type DisableUser = (input: {
  authorized: Authorized<'user', 'disable'>
  email: string
}) => Promise<void>

/** Takes the proof of `user: disable`. */
export function createDisableUser(parts: {
  accounts: Accounts
  audit: AuditTrail
  clock: Clock
}): DisableUser {
  return async ({ authorized: { caller }, email }) => {
    const { id } = await namedAccount(parts.accounts, email)
    if ((await parts.accounts.setDisabled(id, parts.clock())) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.disable', caller, subject: id })
  }
}
