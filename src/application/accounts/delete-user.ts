import type { Caller } from '../../domain/access/caller.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorize } from '../access/authorize.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Takes an account, its memberships and its sessions away for good; its projects and the pets
 * stay, and its id is never used again. Refuses with `forbidden`, `invalid` and `not-found`.
 */
export type DeleteUser = (input: { caller: Caller; email: string }) => Promise<void>

/** Needs the grant `user: delete`. */
export function createDeleteUser(parts: {
  authorize: Authorize
  accounts: Accounts
  audit: AuditTrail
}): DeleteUser {
  return async ({ caller, email }) => {
    parts.authorize(caller, 'user', 'delete')
    const { id } = await namedAccount(parts.accounts, email)
    if ((await parts.accounts.remove(id)) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.delete', caller, subject: id })
  }
}
