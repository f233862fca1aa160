import { email as emailRule, withEnteredForm } from '../../domain/identity/email.js'
import { within } from '../access/within.js'
import { fields, parseFields, text } from '../fields.js'
import { operation } from '../operation.js'
import { accountName, affectedAccount, emailTaken, noSuchAccount } from './named-account.js'

/**
 * Changes the email of an account. Ends all sessions of the account and invalidates its reset tokens, because a stranger may be reading the
 * previous mailbox; the password, the roles and the second factor do not change. Refuses the call with `invalid`, `not-found` or `conflict`
 * (another account has the email).
 */
export const changeUserEmail = operation({
  permission: ['user', 'email'],
  input: fields({ email: text, newEmail: text, within }),
  parts: ['accounts', 'assertWithin', 'audit'],
  run:
    ({ audit, ...parts }) =>
    async (call) => {
      const { caller, email, newEmail: entry } = call
      const { newEmail } = parseFields({ email: accountName(email), newEmail: emailRule(entry) })
      const { id } = await affectedAccount(parts, call)
      const outcome = await parts.accounts.changeEmail({ id, ...withEnteredForm(newEmail, entry) })
      if (outcome === 'unknown') throw noSuchAccount()
      if (outcome === 'email-taken') throw emailTaken('newEmail')
      await audit.record({ event: 'user.email', caller, subject: id })
    },
})
