import type { Authorized } from '../access/authorize.js'
import { namedAccount, noSuchAccount } from './named-account.js'
import { removeAccount, type RemoveAccountParts } from './remove-account.js'

/**
 * Takes an account away for good, with all that is kept about it (`removeAccount`); its projects and the pets stay, the audit
 * log keeps its id alone, and that is never used again. Refuses with `forbidden`, `invalid` and `not-found`.
 */
export type DeleteUser = (input: { authorized: Authorized<'user', 'delete'>; email: string }) => Promise<void>

/** Takes the proof of `user: delete`. */
export function createDeleteUser(parts: RemoveAccountParts): DeleteUser {
  return async ({ authorized: { caller }, email }) => {
    const account = await namedAccount(parts.accounts, email)
    if ((await removeAccount(parts, account.id, { event: 'user.delete', caller })) === 'unknown')
      throw noSuchAccount()
  }
}
