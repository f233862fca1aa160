import type { Accounts } from '../../ports/accounts.js'
import type { Clock } from '../../ports/clock.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Disables an account: once the call resolves, all sessions and refresh tokens of the account are invalid and the account cannot log in.
 * Disabling an account that is already disabled changes nothing. Refuses the call with `invalid` or `not-found`.
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
 * Allows a disabled account to log in again; earlier sessions remain ended. An account that is not disabled stays unchanged and keeps its
 * sessions. Refuses the call with `invalid` or `not-found`.
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
