import type { Caller } from '../../domain/access/caller.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorize } from '../access/authorize.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Lets a disabled account log in again; sessions of before stay dead. One that was never disabled
 * stays as it is, its sessions too. Refuses with `forbidden`, `invalid` and `not-found`.
 */
export type EnableUser = (input: { caller: Caller; email: string }) => Promise<void>

/** Needs the grant `user: enable`. */
export function createEnableUser(parts: {
  authorize: Authorize
  accounts: Accounts
  audit: AuditTrail
}): EnableUser {
  return async ({ caller, email }) => {
    parts.authorize(caller, 'user', 'enable')
    const { id } = await namedAccount(parts.accounts, email)
    if ((await parts.accounts.setDisabled(id, undefined)) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.enable', caller, subject: id })
  }
}
