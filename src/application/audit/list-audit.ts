import { AUDIT_EVENTS, type AuditRecordId } from '../../domain/audit.js'
import { defined } from '../../domain/plain-data.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import { namedAccount } from '../accounts/named-account.js'
import { choice, fields, optional, text } from '../fields.js'
import { count, instant, note, order, textAs } from '../inputs.js'
import { operation } from '../operation.js'

/**
 * One page of the audit log, the oldest record first by default. `user` is the email of an account, or the ID of a deleted
 * account. Refuses an email with `invalid` and `not-found`.
 */
export const listAudit = operation({
  permission: ['audit', 'list'],
  input: fields({
    user: optional(text),
    event: optional(choice(AUDIT_EVENTS, 'must be an event of the audit log')),
    since: optional(instant),
    after: optional(textAs<AuditRecordId>(note)),
    limit: count,
    order: optional(order),
  }),
  parts: ['accounts'],
  renamed: { audit: 'auditLog' },
  run:
    ({ audit, accounts }: { audit: AuditLog; accounts: Accounts }) =>
    async ({ user, event, since, after, limit, order }) => {
      const accountId = user === undefined ? undefined : await accountIdOf(accounts, user)
      return await audit.page({ limit, ...defined({ accountId, event, since, after, order }) })
    },
})

async function accountIdOf(accounts: Accounts, user: string): Promise<AccountId> {
  if (/^[1-9]\d{0,14}$/.test(user)) return Number(user) as AccountId
  return (await namedAccount(accounts, user)).id
}
