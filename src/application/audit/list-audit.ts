import { AUDIT_EVENTS, type AuditRecordId } from '../../domain/audit.js'
import { defined } from '../../domain/plain-data.js'
import { timePrefix } from '../../domain/time-ordered-ids.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import { accountIdIn, namedAccount } from '../accounts/named-account.js'
import { choice, fields, optional, text } from '../fields.js'
import { count, instant, note, order, textAs } from '../inputs.js'
import { operation } from '../operation.js'

/**
 * One page of the audit log, the oldest record first by default: from `since` on, and before `until`. `user` is the email of an account, or the ID of a deleted
 * account. Refuses an email with `invalid` and `not-found`.
 */
export const listAudit = operation({
  permission: ['audit', 'list'],
  input: fields({
    user: optional(text),
    event: optional(choice(AUDIT_EVENTS, 'must be an event of the audit log')),
    since: optional(instant),
    until: optional(instant),
    after: optional(textAs<AuditRecordId>(note)),
    limit: count,
    order: optional(order),
  }),
  parts: ['accounts'],
  renamed: { audit: 'auditLog' },
  run:
    ({ audit, accounts }: { audit: AuditLog; accounts: Accounts }) =>
    async ({ user, event, since, until, limit, order, ...begin }) => {
      const accountId = user === undefined ? undefined : await accountIdOf(accounts, user)
      const end = until === undefined ? undefined : (timePrefix(until) as AuditRecordId)
      const after = order === 'newest-first' ? earlierOf(end, begin.after) : begin.after
      const page = await audit.page({ limit, ...defined({ accountId, event, since, after, order }) })
      return end === undefined ? page : page.filter(({ id }) => id < end)
    },
})

/** Backwards, the IDs of `until` and of the last record both bound the page: records are ordered by ID, which begins with the time. */
function earlierOf(
  end: AuditRecordId | undefined,
  after: AuditRecordId | undefined,
): AuditRecordId | undefined {
  return end === undefined || (after !== undefined && after < end) ? after : end
}

async function accountIdOf(accounts: Accounts, user: string): Promise<AccountId> {
  return accountIdIn(user) ?? (await namedAccount(accounts, user)).id
}
