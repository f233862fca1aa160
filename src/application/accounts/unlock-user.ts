import { within } from '../access/within.js'
import { fields, text } from '../fields.js'
import { clearAttempts } from '../identity/throttle.js'
import { operation } from '../operation.js'
import { affectedAccount } from './named-account.js'

/**
 * Unlocks an account that was locked after too many wrong passwords or codes, so that its owner can log in again immediately
 * (`clearAttempts`). Does not change the password or the sessions, and does not enable a disabled account. Refuses the call with `invalid`
 * or `not-found`.
 */
export const unlockUser = operation({
  permission: ['user', 'unlock'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'attempts', 'digest', 'audit'],
  run:
    ({ audit, ...parts }) =>
    async (call) => {
      const account = await affectedAccount(parts, call)
      await clearAttempts(parts, account.email)
      await audit.record({ event: 'user.unlock', caller: call.caller, subject: account.id })
    },
})
