import { shownEmail } from '../../domain/identity/account.js'
import { within } from '../access/within.js'
import { fields, text } from '../fields.js'
import { removeOrRefuse, viewOf, type PasskeyView } from '../identity/passkeys/own-passkeys.js'
import { operation } from '../operation.js'
import { affectedAccount, namedAccount } from './named-account.js'

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
