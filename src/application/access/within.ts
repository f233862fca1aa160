import type { Caller } from '../../domain/access/caller.js'
import type { Permissions } from '../../domain/access/permissions.js'
import type { RoleKey } from '../../domain/access/role.js'
import { beyondCaller } from '../../domain/refusal.js'
import { choice, optional } from '../fields.js'

/**
 * With `caller`, an operation refuses to assign or remove a role that permits an action forbidden to the caller, and to affect an account
 * whose roles permit such an action. Without this member, the permission of the operation is enough.
 */
export const within = optional(choice<'caller'>(['caller']))

/** The caller of an operation, and the limit that the host set for this call. */
export type Limited = { readonly caller: Caller; readonly within?: 'caller' | undefined }

/** Refuses the call with `forbidden` if it is limited to the permissions of its caller, and one of these roles permits more. */
export type AssertWithin = (call: Limited, roles: readonly RoleKey[]) => void

export function createAssertWithin(permissions: Permissions): AssertWithin {
  return ({ caller, within }, roles) => {
    const missing = within && permissions.beyond(caller, roles)
    if (missing !== undefined) throw beyondCaller(missing)
  }
}
