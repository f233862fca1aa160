import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Disables an account: when it resolves, all sessions and refresh tokens of the account are invalid and it cannot log in. A
 * disabled account stays as it is. Refuses with `invalid` and `not-found`.
 */
export const disableUser = operation({
  permission: ['user', 'disable'],
  input: fields({ email: text }),
  parts: ['accounts', 'audit', 'clock'],
  run:
    ({ accounts, audit, clock }: { accounts: Accounts; audit: AuditTrail; clock: Clock }) =>
    async ({ caller, email }) => {
      const { id } = await namedAccount(accounts, email)
      if ((await accounts.setDisabled(id, clock())) === 'unknown') throw noSuchAccount()
      await audit.record({ event: 'user.disable', caller, subject: id })
    },
})

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
