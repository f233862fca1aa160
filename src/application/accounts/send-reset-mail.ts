import { ANONYMOUS } from '../../domain/access/caller.js'
import { ASKED_BY_OPERATOR } from '../../domain/mail.js'
import { refuse, refuseField } from '../../domain/refusal.js'
import { within } from '../access/within.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { affectedAccount } from './named-account.js'

const NOT_SET_UP =
  'Password resets are not set up: permit "auth: reset-password" for the role everyone, and set MAIL_URL.'

/**
 * Queues the `requestPasswordReset` email for an account's owner. The rate limits of `requestPasswordReset` do not apply, and this call does
 * not count toward them. Refuses the call with `invalid`, `not-found`, `conflict` (the account is disabled, or users cannot reset passwords)
 * or `overloaded` (too many emails are queued).
 */
export const sendResetMail = operation({
  permission: ['user', 'reset-mail'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'permissions', 'queueMail', 'proofs', 'audit'],
  run:
    ({ permissions, queueMail, audit, ...parts }) =>
    async (call) => {
      const { id, email, disabledAt } = await affectedAccount(parts, call)
      // The configuration requires a mail server if this action is permitted.
      if (!permissions.allows(ANONYMOUS, 'auth', 'reset-password'))
        throw refuse('conflict', 'Conflict', NOT_SET_UP)
      if (disabledAt !== undefined)
        throw refuseField('conflict', 'email', 'Conflict', 'The account is disabled.')
      await queueMail('reset-password', email, undefined, { about: ASKED_BY_OPERATOR })
      await audit.record({ event: 'reset.ask', caller: call.caller, subject: id })
    },
})
