import type { Caller } from '../../domain/access/caller.js'
import type { Permissions } from '../../domain/access/permissions.js'
import type { RoleKey } from '../../domain/access/role.js'
import { beyondCaller } from '../../domain/refusal.js'
import { choice, optional } from '../fields.js'

/**
 * With `caller`, an operation assigns or removes only roles whose permissions the caller also has, and affects only accounts with such
 * roles. By default, there is no such limit.
 */
export const within = optional(choice<'caller'>(['caller']))

/** The caller of an operation, and the limit that the host set for this call. */
export type Limited = { readonly caller: Caller; readonly within?: 'caller' | undefined }

/** With `within: 'caller'`, refuses the call with `forbidden` if these roles have a permission that the caller lacks. */
export type AssertWithin = (call: Limited, roles: readonly RoleKey[]) => void

export function createAssertWithin(permissions: Permissions): AssertWithin {
  return ({ caller, within }, roles) => {
    const missing = within && permissions.beyond(caller, roles)
    if (missing !== undefined) throw beyondCaller(missing)
  }
}
