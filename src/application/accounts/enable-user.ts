import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from '../access/authorize.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Lets a disabled account log in again; earlier sessions stay ended. One that was never disabled
 * stays as it is, its sessions too. Refuses with `forbidden`, `invalid` and `not-found`.
 */
export type EnableUser = (input: { authorized: Authorized<'user', 'enable'>; email: string }) => Promise<void>

/** Takes the proof of `user: enable`. */
export function createEnableUser(parts: { accounts: Accounts; audit: AuditTrail }): EnableUser {
  return async ({ authorized: { caller }, email }) => {
    const { id } = await namedAccount(parts.accounts, email)
    if ((await parts.accounts.setDisabled(id, undefined)) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.enable', caller, subject: id })
  }
}
