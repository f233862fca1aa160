import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import { refuseField } from '../../domain/refusal.js'
import { within } from '../access/within.js'
import { fields, text } from '../fields.js'
import { clearAttempts } from '../identity/throttle.js'
import { operation } from '../operation.js'
import type { GivenShared } from '../shared-parts.js'
import { importUnfinished, isUnfinishedImport, lacksImportedFactor } from './import-factor.js'
import { affectedAccount, noSuchAccount, type AccountParts } from './named-account.js'

type Parts = AccountParts & GivenShared<['apiKeys', 'audit', 'clock'], ['apiKeys']>

/**
 * Disables an account: once the call resolves, all sessions, refresh tokens and API keys of the account are invalid and the account cannot
 * log in. If the account is already disabled, the only effect is that an unfinished import can no longer enable it. Refuses the call with
 * `invalid` or `not-found`.
 */
export const disableUser = operation({
  permission: ['user', 'disable'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'apiKeys', 'audit', 'clock'],
  optional: ['apiKeys'],
  run: (parts) => async (call) => {
    const account = await affectedAccount(parts, call)
    const { id } = account
    if ((await disableAccount(parts, account)) === 'unknown') throw noSuchAccount()
    await parts.apiKeys?.revokeAllOf(id, parts.clock())
    await parts.audit.record({ event: 'user.disable', caller: call.caller, subject: id })
  },
})

/**
 * If the account's import is unfinished, the first write replaces the time that marks it as unfinished. If this write returns `unchanged`,
 * the import has been completed, and the account may be enabled.
 */
async function disableAccount(
  { accounts, clock }: Pick<Parts, 'accounts' | 'clock'>,
  account: Account,
): Promise<'set' | 'unchanged' | 'unknown'> {
  const { id, createdAt, disabledAt } = account
  // The time must be later than `createdAt`: an earlier time marks an unfinished import, and an equal time marks an account that waits
  // for approval.
  const at = Math.max(clock(), createdAt + 1)
  const outcome = isUnfinishedImport(account) && (await accounts.setDisabled(id, at, disabledAt))
  return outcome === 'set' ? outcome : await accounts.setDisabled(id, at)
}

/**
 * Allows a disabled account to log in again; earlier sessions remain ended, and earlier API keys revoked. An account that is already enabled
 * stays unchanged and keeps its sessions and keys. Refuses the call with `invalid`, `not-found` or `conflict` (an imported account lacks its
 * second factor, so logins would not require it).
 */
export const enableUser = operation({
  permission: ['user', 'enable'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'apiKeys', 'audit', 'clock'],
  optional: ['apiKeys'],
  run: (parts) => async (call) => {
    const account = await affectedAccount(parts, call)
    if (lacksImportedFactor(account)) throw importUnfinished()
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
  run: (parts) => async (call) => {
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
 * Enables the account; with `since`, only if the account was disabled at exactly that time. Resolves with `unchanged` if the account was
 * not enabled by this call.
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
