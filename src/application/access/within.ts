import type { Caller } from '../../domain/access/caller.js'
import type { RoleKey } from '../../domain/access/role.js'
import { beyondCaller } from '../../domain/refusal.js'
import { choice, optional } from '../fields.js'
import { createAuthorize, type AuthorizeParts } from './authorize.js'

/**
 * With `caller`, an operation assigns or removes only roles whose permissions the caller also has, and affects only accounts with such
 * roles. If such a permission of the caller has a condition, the login must meet the condition; otherwise, the caller could use the role or
 * the account without meeting it. By default, there is no such limit.
 */
export const within = optional(choice<'caller'>(['caller']))

/** The caller of an operation, and the limit that the host set for this call. */
export type Limited = { readonly caller: Caller; readonly within?: 'caller' | undefined }

/**
 * With `within: 'caller'`, refuses the call with `forbidden` if these roles have a permission that the caller lacks, or with
 * `fresh-login-required` if the caller must first confirm the login.
 */
export type AssertWithin = (call: Limited, roles: readonly RoleKey[]) => void

export function createAssertWithin({ permissions, clock, passkeyVerifier }: AuthorizeParts): AssertWithin {
  const authorize = createAuthorize(permissions, clock, passkeyVerifier !== undefined, beyondCaller)
  return ({ caller, within }, roles) => {
    if (!within) return
    for (const [component, action] of permissions.ofRoles(roles))
      authorize(caller, component as never, action as never)
  }
}
