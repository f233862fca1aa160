import { shownEmail } from '../../domain/identity/account.js'
import { within } from '../access/within.js'
import { fields, text } from '../fields.js'
import { removeOrRefuse, viewOf, type PasskeyView } from '../identity/passkeys/own-passkeys.js'
import { factorStatus } from '../identity/second-factor/own-second-factor.js'
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

/** Returns the passkeys of an account, oldest first, without their keys. Refuses the call with `invalid` or `not-found`. */
export const listUserPasskeys = operation({
  permission: ['user', 'remove-factor'],
  input: fields({ email: text }),
  parts: ['accounts', 'passkeys'],
  run:
    ({ accounts, passkeys }) =>
    async ({ email }): Promise<readonly PasskeyView[]> => {
      const { id } = await namedAccount(accounts, email)
      return (await passkeys.listOf(id)).map(viewOf)
    },
})

/**
 * Removes a passkey of an account, for a user who has lost the device, and notifies the account. Sessions continue. Refuses the call with
 * `invalid`, with `not-found` (no such account or passkey), or with `conflict` if the passkey is the only way to log in.
 */
export const removeUserPasskey = operation({
  permission: ['user', 'remove-factor'],
  input: fields({ email: text, id: text, within }),
  parts: ['accounts', 'assertWithin', 'passkeys', 'notices', 'audit'],
  run:
    ({ passkeys, notices, audit, ...parts }) =>
    async (call): Promise<void> => {
      const account = await affectedAccount(parts, call)
      const { id: subject } = account
      await removeOrRefuse({ passkeys }, subject, call.id)
      await audit.record({ event: 'passkey.remove', caller: call.caller, subject })
      await notices?.send('passkey', { email: shownEmail(account), about: 'removed' })
    },
})
