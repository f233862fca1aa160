import { roleKey } from '../../domain/access/role.js'
import { email as emailRule } from '../../domain/identity/email.js'
import { refuseField } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Roles } from '../../ports/roles.js'
import { unknownRole } from '../access/role-keys.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, flag, optional, parseFields, text } from '../fields.js'
import { operation } from '../operation.js'
import { namedAccount, noSuchAccount } from './named-account.js'

/**
 * Gives an account a role of the role table, or removes the role; a role that the account has already changes nothing
 * and is no error. Takes effect with the next request of the account. Refuses with `invalid` and `not-found` (account,
 * role, or a membership to remove).
 */
export const assignRole = operation({
  permission: ['user-task', 'role'],
  input: fields({ email: text, role: text, remove: optional(flag) }),
  parts: ['roles', 'accounts', 'audit'],
  run:
    ({ roles, accounts, audit }: { roles: Roles; accounts: Accounts; audit: AuditTrail }) =>
    async ({ caller, email, remove = false, ...input }) => {
      const { role } = parseFields({ email: emailRule(email), role: roleKey(input.role) })
      const { id, email: address } = await namedAccount(accounts, email)
      const outcome = await (remove ? roles.unassign(address, role) : roles.assign(address, role))
      if (outcome === 'unknown-account') throw noSuchAccount()
      if (outcome === 'unknown-role') throw unknownRole(role)
      if (outcome === 'not-assigned')
        throw refuseField('not-found', 'role', 'NotFound', `The account does not have the role "${role}".`)
      if (outcome === 'already-assigned') return
      const subject = (await accounts.find(id))?.id
      const event = remove ? 'role.remove' : 'role.assign'
      await audit.record({ event, caller, subject, what: `role:${role}` })
    },
})
