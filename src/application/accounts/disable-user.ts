import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import { refuseField } from '../../domain/refusal.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import { within } from '../access/within.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import type { QueueMail } from '../mail/queue-mail.js'
import { operation } from '../operation.js'
import { affectedAccount, noSuchAccount, type AccountParts } from './named-account.js'

type Parts = AccountParts & { apiKeys?: ApiKeys | undefined; audit: AuditTrail; clock: Clock }

/**
 * Disables an account: once the call resolves, all sessions, refresh tokens and API keys of the account are invalid and the account cannot
 * log in. Disabling an account that is already disabled changes nothing. Refuses the call with `invalid` or `not-found`.
 */
export const disableUser = operation({
  permission: ['user', 'disable'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'apiKeys', 'audit', 'clock'],
  optional: ['apiKeys'],
  run: (parts: Parts) => async (call) => {
    const { id, createdAt } = await affectedAccount(parts, call)
    // The time must be later than the creation, because an account that was disabled at the time of its creation waits for approval.
    const at = Math.max(parts.clock(), createdAt + 1)
    if ((await parts.accounts.setDisabled(id, at)) === 'unknown') throw noSuchAccount()
    await parts.apiKeys?.revokeAllOf(id, parts.clock())
    await parts.audit.record({ event: 'user.disable', caller: call.caller, subject: id })
  },
})

/**
 * Allows a disabled account to log in again; earlier sessions remain ended, and earlier API keys revoked. An account that is already
 * enabled stays unchanged and keeps its sessions and keys. Refuses the call with `invalid` or `not-found`.
 */
export const enableUser = operation({
  permission: ['user', 'enable'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'apiKeys', 'audit', 'clock'],
  optional: ['apiKeys'],
  run: (parts: Parts) => async (call) => {
    const account = await affectedAccount(parts, call)
    await enableAccount(parts, account)
    await parts.audit.record({ event: 'user.enable', caller: call.caller, subject: account.id })
  },
})

/**
 * Enables an account that waits for approval after its sign-up, and informs its owner by email. Refuses the call with
 * `invalid`, `not-found`, `conflict` (the account is enabled, or was disabled after its creation) or `overloaded` (the
 * account is now enabled, but too many emails are queued to inform its owner).
 */
export const approveUser = operation({
  permission: ['user', 'approve'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'apiKeys', 'queueMail', 'audit', 'clock'],
  optional: ['apiKeys'],
  run: (parts: Parts & { readonly queueMail: QueueMail }) => async (call) => {
    const account = await affectedAccount(parts, call)
    const { id, createdAt, disabledAt } = account
    const outcome = disabledAt === createdAt ? await enableAccount(parts, account, createdAt) : 'unchanged'
    if (outcome === 'unchanged')
      throw refuseField('conflict', 'email', 'Conflict', 'The account is not waiting for approval.')
    await parts.audit.record({ event: 'user.approve', caller: call.caller, subject: id })
    await parts.queueMail('approved', shownEmail(account))
  },
})

/**
 * Enables the account; with `since`, only if it was disabled at this time. Resolves with `unchanged` if the account was not enabled by this
 * call.
 */
async function enableAccount(
  { accounts, apiKeys, clock }: Pick<Parts, 'accounts' | 'apiKeys' | 'clock'>,
  { id, disabledAt }: Account,
  since?: Instant,
): Promise<'set' | 'unchanged'> {
  // If a process died after disabling the account but before revoking its API keys, those keys must not become valid again.
  if (disabledAt !== undefined) await apiKeys?.revokeAllOf(id, clock())
  const outcome = await accounts.setDisabled(id, undefined, since)
  if (outcome === 'unknown') throw noSuchAccount()
  return outcome
}
