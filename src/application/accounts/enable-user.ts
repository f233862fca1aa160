import type { Accounts } from '../../ports/accounts.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Lets a disabled account log in again; earlier sessions stay ended. An account that was never disabled stays as it is, with its
 * sessions. Refuses with `invalid` and `not-found`.
 */
export const enableUser = operation({
  permission: ['user', 'enable'],
  input: fields({ email: text }),
  parts: ['accounts', 'audit'],
  run:
    ({ accounts, audit }: { accounts: Accounts; audit: AuditTrail }) =>
    async ({ caller, email }) => {
      const { id } = await namedAccount(accounts, email)
      if ((await accounts.setDisabled(id, undefined)) === 'unknown') throw noSuchAccount()
      await audit.record({ event: 'user.enable', caller, subject: id })
    },
})
