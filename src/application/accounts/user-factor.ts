import { shownEmail } from '../../domain/identity/account.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import { within } from '../access/within.js'
import { fields, text } from '../fields.js'
import { factorStatus } from '../identity/second-factor/read-second-factor.js'
import { operation } from '../operation.js'
import { affectedAccount, namedAccount } from './named-account.js'

/** Returns whether an account has a second factor. Refuses the call with `invalid` or `not-found`. */
export const readUserFactor = operation({
  permission: ['user', 'remove-factor'],
  input: fields({ email: text }),
  parts: ['accounts', 'secondFactors', 'factorRoles'],
  run:
    (parts) =>
    async ({ email }) =>
      await factorStatus(parts, await namedAccount(parts.accounts, email)),
})

/**
 * Removes the second factor of an account, whether or not it is active, for a user who has lost it: the next login needs only the password.
 * Returns `unchanged` if the account has no second factor. Sessions continue, but without the roles that apply only with a second factor.
 * Refuses the call with `invalid` or `not-found`.
 */
export const removeUserFactor = operation({
  permission: ['user', 'remove-factor'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'secondFactors', 'notices', 'audit'],
  run:
    ({ secondFactors, notices, audit, ...parts }) =>
    async (call): Promise<'removed' | 'unchanged'> => {
      const account = await affectedAccount(parts, call)
      const subject = account.id
      if ((await secondFactors.remove(subject)) === 'unknown') return 'unchanged'
      await audit.record({ event: 'factor.remove', caller: call.caller, subject })
      await notices?.send('factor', { email: shownEmail(account), about: 'removed' })
      return 'removed'
    },
})

/** Returns the refusal for a host that treats `unchanged` as an error. */
export function noUserFactor(): Refusal {
  return refuseField('not-found', 'email', 'NotFound', 'The account has no second factor.')
}
