import { roleKey, type RoleKey } from '../../domain/access/role.js'
import { email } from '../../domain/identity/email.js'
import { Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Roles } from '../../ports/roles.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Authorized } from '../access/authorize.js'
import { unknownRole } from '../access/role-keys.js'
import { parseFields } from '../fields.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Gives an account a role of the role table, or takes it away; giving one that it has changes
 * nothing and is no error. In force from the account's next request on. Refuses with
 * `forbidden`, `invalid` and `not-found` (account, role, or a membership to take away).
 */
export type AssignRole = (input: {
  authorized: Authorized<'user-task', 'role'>
  email: string
  role: string
  remove?: boolean
}) => Promise<void>

/** Takes the proof of `user-task: role`. */
export function createAssignRole(parts: { roles: Roles; accounts: Accounts; audit: AuditTrail }): AssignRole {
  return async ({ authorized: { caller }, remove = false, ...fields }) => {
    const { role } = parseFields({ email: email(fields.email), role: roleKey(fields.role) })
    const { id, email: address } = await namedAccount(parts.accounts, fields.email)
    const outcome = await (remove ? parts.roles.unassign(address, role) : parts.roles.assign(address, role))
    if (outcome === 'unknown-account') throw noSuchAccount()
    if (outcome === 'unknown-role') throw unknownRole(role)
    if (outcome === 'not-assigned') throw notAssigned(role)
    if (outcome === 'already-assigned') return
    const subject = (await parts.accounts.find(id))?.id
    const event = remove ? 'role.remove' : 'role.assign'
    await parts.audit.record({ event, caller, subject, what: `role:${role}` })
  }
}

function notAssigned(role: RoleKey): Refusal {
  const message = `The account does not have the role "${role}".`
  return new Refusal('not-found', [{ field: 'role', type: 'NotFound', message }])
}
