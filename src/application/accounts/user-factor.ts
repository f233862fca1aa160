import { shownEmail } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { SecondFactors } from '../../ports/second-factors.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { factorStatus, type FactorStatusParts } from '../identity/second-factor/read-second-factor.js'
import type { Notices } from '../mail/queue-mail.js'
import { operation } from '../operation.js'
import { namedAccount } from './named-account.js'

/** Returns whether an account has a second factor. Refuses the call with `invalid` or `not-found`. */
export const readUserFactor = operation({
  permission: ['user', 'remove-factor'],
  input: fields({ email: text }),
  parts: ['accounts', 'secondFactors', 'factorRoles'],
  run:
    (parts: FactorStatusParts & { accounts: Accounts }) =>
    async ({ email }) =>
      await factorStatus(parts, await namedAccount(parts.accounts, email)),
})

type RemovalParts = {
  accounts: Accounts
  secondFactors: SecondFactors
  notices?: Notices | undefined
  audit: AuditTrail
}

/**
 * Removes the second factor of an account, active or not, for a user who has lost it: the next login needs only the password. Returns
 * `unchanged` if the account has no second factor. Sessions continue without the roles that require a second factor. Refuses the call with
 * `invalid` or `not-found`.
 */
export const removeUserFactor = operation({
  permission: ['user', 'remove-factor'],
  input: fields({ email: text }),
  parts: ['accounts', 'secondFactors', 'notices', 'audit'],
  run:
    ({ accounts, secondFactors, notices, audit }: RemovalParts) =>
    async ({ caller, email }): Promise<'removed' | 'unchanged'> => {
      const account = await namedAccount(accounts, email)
      const subject = account.id
      if ((await secondFactors.remove(subject)) === 'unknown') return 'unchanged'
      await audit.record({ event: 'factor.remove', caller, subject })
      await notices?.send('factor', { email: shownEmail(account), about: 'removed' })
      return 'removed'
    },
})
