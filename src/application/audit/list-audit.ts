import type { AuditEvent, AuditRecord, AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import type { PageOrder } from '../../ports/page-order.js'
import { assertProven, type Authorized } from '../access/authorize.js'
import { namedAccount } from '../accounts/named-account.js'

/**
 * One page of the audit log, the oldest record first unless said otherwise. Refuses with `forbidden`, and, where an email
 * is given, `invalid` and `not-found`.
 */
export type ListAudit = (input: {
  authorized: Authorized<'audit', 'list'>
  /** Whose records, as email or, for an account that is gone, as its id. */
  user?: string | undefined
  event?: AuditEvent | undefined
  since?: Instant | undefined
  after?: AuditRecordId | undefined
  limit: number
  order?: PageOrder | undefined
}) => Promise<readonly AuditRecord[]>

/** Takes the proof of `audit: list`. */
export function createListAudit(parts: { audit: AuditLog; accounts: Accounts }): ListAudit {
  return async ({ authorized, user, event, since, after, limit, order }) => {
    assertProven(authorized)
    const accountId = user === undefined ? undefined : await accountIdOf(parts.accounts, user)
    return await parts.audit.page({
      limit,
      ...(accountId !== undefined && { accountId }),
      ...(event !== undefined && { event }),
      ...(since !== undefined && { since }),
      ...(after !== undefined && { after }),
      ...(order !== undefined && { order }),
    })
  }
}

async function accountIdOf(accounts: Accounts, user: string): Promise<AccountId> {
  if (/^[1-9]\d{0,14}$/.test(user)) return Number(user) as AccountId
  return (await namedAccount(accounts, user)).id
}
