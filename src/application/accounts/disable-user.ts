import type { ApiKeys } from '../../ports/api-keys.js'
import type { Clock } from '../../ports/clock.js'
import { within } from '../access/within.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
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
    const { id } = await affectedAccount(parts, call)
    const at = parts.clock()
    if ((await parts.accounts.setDisabled(id, at)) === 'unknown') throw noSuchAccount()
    await parts.apiKeys?.revokeAllOf(id, at)
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
    const { id, disabledAt } = await affectedAccount(parts, call)
    // If the process that disabled the account died before it revoked the keys, they must not become valid again.
    if (disabledAt !== undefined) await parts.apiKeys?.revokeAllOf(id, parts.clock())
    if ((await parts.accounts.setDisabled(id, undefined)) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.enable', caller: call.caller, subject: id })
  },
})
