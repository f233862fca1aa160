import { AUDIT_EVENTS, type AuditRecord, type AuditRecordId } from '../../domain/audit.js'
import { defined } from '../../domain/plain-data.js'
import { timePrefix } from '../../domain/instant.js'
import { shownEmail } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import { accountIdIn, namedAccount } from '../accounts/named-account.js'
import { choice, fields, optional, text } from '../fields.js'
import { count, instant, note, order, textAs } from '../inputs.js'
import { operation } from '../operation.js'

/**
 * A record with the current emails of the accounts in `actor` and `subject`, spelled as the users entered them; an email is absent if the
 * account has been deleted. The emails are looked up when the log is listed, so no email of a deleted account stays in the log.
 */
export type ListedAuditRecord = AuditRecord & { readonly actorEmail?: Email; readonly subjectEmail?: Email }

/**
 * Returns one page of the audit log with the records from `since` (inclusive) to `until` (exclusive), by default the oldest first. `user`
 * is the email of an account, or the ID of a deleted account. Refuses a malformed email with `invalid` and an unknown email with
 * `not-found`.
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
    async ({ user, event, since, until, limit, order, ...begin }): Promise<readonly ListedAuditRecord[]> => {
      const accountId =
        user === undefined ? undefined : (accountIdIn(user) ?? (await namedAccount(accounts, user)).id)
      const end = until === undefined ? undefined : (timePrefix(until) as AuditRecordId)
      const after = order === 'newest-first' ? earlierOf(end, begin.after) : begin.after
      const page = await audit.page({ limit, ...defined({ accountId, event, since, after, order }) })
      return await withEmails(accounts, end === undefined ? page : page.filter(({ id }) => id < end))
    },
})

/** Reads each account on the page once. */
async function withEmails(
  accounts: Accounts,
  records: readonly AuditRecord[],
): Promise<readonly ListedAuditRecord[]> {
  const ids = [...new Set(records.flatMap((record) => record.accounts))]
  const known = ids.length === 0 ? [] : await accounts.findMany(ids)
  const emails = new Map(known.map((account) => [`account:${account.id}`, shownEmail(account)]))
  return records.map((record) => {
    const [subject = ''] = (record.subject ?? '').split(' ', 1)
    return {
      ...record,
      ...defined({ actorEmail: emails.get(record.actor), subjectEmail: emails.get(subject) }),
    }
  })
}

/**
 * In reverse order, the page ends at the earlier of two IDs: the one for `until` and the last ID of the previous page. The two IDs can be
 * compared because records are ordered by ID and IDs begin with the time.
 */
function earlierOf(
  end: AuditRecordId | undefined,
  after: AuditRecordId | undefined,
): AuditRecordId | undefined {
  return end === undefined || (after !== undefined && after < end) ? after : end
}
