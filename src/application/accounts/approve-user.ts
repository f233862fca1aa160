import { shownEmail } from '../../domain/identity/account.js'
import { refuseField } from '../../domain/refusal.js'
import { within } from '../access/within.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import type { QueueMail } from '../mail/queue-mail.js'
import { operation } from '../operation.js'
import { affectedAccount, noSuchAccount, type AccountParts } from './named-account.js'

type Parts = AccountParts & { queueMail: QueueMail; audit: AuditTrail }

/**
 * Enables an account that waits for approval after its sign-up, and tells its owner by email. Refuses the call with `invalid`, `not-found`,
 * `conflict` (the account is enabled) or `overloaded` (the account is enabled, but too many emails are queued to tell its owner).
 */
export const approveUser = operation({
  permission: ['user', 'approve'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'queueMail', 'audit'],
  run:
    ({ queueMail, audit, ...parts }: Parts) =>
    async (call) => {
      const account = await affectedAccount(parts, call)
      const outcome = await parts.accounts.setDisabled(account.id, undefined)
      if (outcome === 'unknown') throw noSuchAccount()
      if (outcome === 'unchanged')
        throw refuseField('conflict', 'email', 'Conflict', 'The account is not waiting for approval.')
      await audit.record({ event: 'user.approve', caller: call.caller, subject: account.id })
      await queueMail('approved', shownEmail(account))
    },
})
