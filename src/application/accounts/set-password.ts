import type { Caller } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Authorize } from '../access/authorize.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, flag, optional, text, type ObjectParser } from '../fields.js'
import type { Notices } from '../mail/notices.js'
import { operation } from '../operation.js'
import {
  assertEither,
  assertMayImport,
  type GivenPassword,
  type HashNewPassword,
} from './hash-new-password.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/** An account by its email, with its password or hash. */
export const namedPassword = fields(
  { email: text, password: optional(text), anyLength: optional(flag), passwordHash: optional(text) },
  assertEither,
) as ObjectParser<{ readonly email: string } & GivenPassword>

export type SetPasswordParts = {
  accounts: Accounts
  hashNewPassword: HashNewPassword
  notices?: Notices | undefined
  authorize: Authorize
  audit: AuditTrail
}

/**
 * Sets the password of an account and ends all its sessions: after it resolves no earlier credential is valid. A hash needs the
 * permission `user: import` too. Refuses with `malformed` (password and hash, or neither), `invalid` and `not-found`.
 */
export const setPassword = operation({
  permission: ['user-task', 'password'],
  input: namedPassword,
  parts: ['accounts', 'hashNewPassword', 'notices', 'audit'],
  run:
    (parts: SetPasswordParts) =>
    async ({ caller, email, ...given }) => {
      assertMayImport(parts.authorize, caller, given)
      const account = await namedAccount(parts.accounts, email)
      await setPasswordOf(parts, { caller, account, given })
    },
})

export async function setPasswordOf(
  parts: Omit<SetPasswordParts, 'authorize'>,
  { caller, account, given }: { caller: Caller; account: Account; given: GivenPassword },
): Promise<void> {
  const hash = await parts.hashNewPassword(given, account)
  if ((await parts.accounts.setPassword(account.id, hash)) === 'unknown') throw noSuchAccount()
  await parts.audit.record({ event: 'password.set', caller, subject: account.id })
  await parts.notices?.send('password', { email: shownEmail(account) })
}
