import type { Clock } from '../../ports/clock.js'
import { within } from '../access/within.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { affectedAccount, noSuchAccount, type AccountParts } from './named-account.js'

type Parts = AccountParts & { audit: AuditTrail }

/**
 * Disables an account: once the call resolves, all sessions and refresh tokens of the account are invalid and the account cannot log in.
 * Disabling an account that is already disabled changes nothing. Refuses the call with `invalid` or `not-found`.
 */
export const disableUser = operation({
  permission: ['user', 'disable'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'audit', 'clock'],
  run: (parts: Parts & { clock: Clock }) => async (call) => {
    const { id } = await affectedAccount(parts, call)
    if ((await parts.accounts.setDisabled(id, parts.clock())) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.disable', caller: call.caller, subject: id })
  },
})

/**
 * Allows a disabled account to log in again; earlier sessions remain ended. An account that is not disabled stays unchanged and keeps its
 * sessions. Refuses the call with `invalid` or `not-found`.
 */
export const enableUser = operation({
  permission: ['user', 'enable'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'audit'],
  run: (parts: Parts) => async (call) => {
    const { id } = await affectedAccount(parts, call)
    if ((await parts.accounts.setDisabled(id, undefined)) === 'unknown') throw noSuchAccount()
    await parts.audit.record({ event: 'user.enable', caller: call.caller, subject: id })
  },
})
