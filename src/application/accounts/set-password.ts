import type { Caller } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Notices } from '../mail/notices.js'
import type { Authorized } from '../access/authorize.js'
import type { AuthorizedPassword, HashNewPassword } from './hash-new-password.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Sets an account's password and ends all its sessions: after it returns no credential of
 * before is good. Refuses with `forbidden`, `malformed` (password and hash, or neither), `invalid` and `not-found`.
 */
export type SetPassword = (
  input: { authorized: Authorized<'user-task', 'password'>; email: string } & AuthorizedPassword,
) => Promise<void>

/** What setting passwords is made of. */
export type SetPasswordParts = {
  accounts: Accounts
  hashNewPassword: HashNewPassword
  notices?: Notices | undefined
  audit: AuditTrail
}

/** Takes the proof of `user-task: password`, for a hash that of `user: import` too. */
export function createSetPassword(parts: SetPasswordParts): SetPassword {
  return async ({ authorized: { caller }, email, ...given }) => {
    const account = await namedAccount(parts.accounts, email)
    await setPasswordOf(parts, { caller, account, given })
  }
}

/** Shared with the task that sets every account's password. */
export async function setPasswordOf(
  parts: SetPasswordParts,
  { caller, account, given }: { caller: Caller; account: Account; given: AuthorizedPassword },
): Promise<void> {
  const hash = await parts.hashNewPassword(given, account)
  if ((await parts.accounts.setPassword(account.id, hash)) === 'unknown') throw noSuchAccount()
  await parts.audit.record({ event: 'password.set', caller, subject: account.id })
  await parts.notices?.send('password', { email: shownEmail(account) })
}
