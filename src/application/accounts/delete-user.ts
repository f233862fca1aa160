import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { namedAccount, noSuchAccount } from './named-account.js'
import { removeAccount, type RemoveAccountParts } from './remove-account.js'

/**
 * Removes an account with all data about it (`removeAccount`). Its projects and the pets stay, the audit log keeps only
 * its ID, and the ID is never reused. Refuses with `invalid` and `not-found`.
 */
export const deleteUser = operation({
  permission: ['user', 'delete'],
  input: fields({ email: text }),
  parts: ['accounts', 'audit', 'auditLog', 'mailQueue'],
  optional: ['auditLog', 'mailQueue'],
  run:
    (parts: RemoveAccountParts) =>
    async ({ caller, email }) => {
      const account = await namedAccount(parts.accounts, email)
      if ((await removeAccount(parts, account.id, { event: 'user.delete', caller })) === 'unknown')
        throw noSuchAccount()
    },
})
