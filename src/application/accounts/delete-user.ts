import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from '../access/authorize.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Takes an account, its memberships and its sessions away for good; its projects and the pets
 * stay, and its id is never used again. Refuses with `forbidden`, `invalid` and `not-found`.
 */
export type DeleteUser = (input: { authorized: Authorized<'user', 'delete'>; email: string }) => Promise<void>

/** Takes the proof of `user: delete`. */
export function createDeleteUser(parts: { accounts: Accounts; audit: AuditTrail }): DeleteUser {
  return async ({ authorized: { caller }, email }) => {
    const { id } = await namedAccount(parts.accounts, email)
    if ((await parts.accounts.remove(id)) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.delete', caller, subject: id })
  }
}
