import type { Caller } from '../../domain/access/caller.js'
import type { Account } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorize } from '../access/authorize.js'
import { authorizePassword, type GivenPassword, type HashNewPassword } from './hash-new-password.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Sets an account's password and ends all its sessions: after it returns no credential of
 * before is good. Refuses with `forbidden`, `malformed` (password and hash, or neither), `invalid` and `not-found`.
 */
export type SetPassword = (input: { caller: Caller; email: string } & GivenPassword) => Promise<void>

/** What setting passwords is made of. */
export type SetPasswordParts = {
  authorize: Authorize
  accounts: Accounts
  hashNewPassword: HashNewPassword
  audit: AuditTrail
}

/** Needs the grant `user-task: password`, for a hash `user: import` too. */
export function createSetPassword(parts: SetPasswordParts): SetPassword {
  return async ({ caller, email, ...given }) => {
    authorizePassword(parts.authorize, { caller, action: 'password', given })
    const account = await namedAccount(parts.accounts, email)
    await setPasswordOf(parts, { caller, account, given })
  }
}

/** Shared with the task that sets every account's password. */
export async function setPasswordOf(
  parts: SetPasswordParts,
  { caller, account, given }: { caller: Caller; account: Account; given: GivenPassword },
): Promise<void> {
  const hash = await parts.hashNewPassword(given)
  if ((await parts.accounts.setPassword(account.id, hash)) === 'unknown') throw noSuchAccount()
  await parts.audit.record({ event: 'password.set', caller, subject: account.id })
}
