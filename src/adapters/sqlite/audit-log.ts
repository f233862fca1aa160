import type { AuditEvent, AuditRecord, AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import { timePrefix } from '../../domain/time-ordered-id.js'
import type { AuditLog, AuditPageRequest } from '../../ports/audit-log.js'
import type { Database } from './database.js'

export const AUDIT_COLUMNS = [
  'id',
  'at',
  'event',
  'actor',
  'subject',
  'address',
  'request_id',
  'outcome',
  'account_id',
  'other_account_id',
  'count',
  'count_key',
] as const

export type AuditRow = readonly [
  id: AuditRecordId,
  at: Instant,
  event: AuditEvent,
  actor: string,
  subject: string | null,
  address: string | null,
  requestId: string | null,
  outcome: AuditRecord['outcome'],
  accountId: AccountId | null,
  otherAccountId: AccountId | null,
  count: number | null,
  countKey: string | null,
]

const COLUMNS = AUDIT_COLUMNS.join(', ')
const APPEND = `INSERT INTO audit_records (${COLUMNS}) VALUES (${AUDIT_COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (count_key) WHERE count_key IS NOT NULL DO UPDATE SET count = count + excluded.count`

/** From the first id on, without the one that the page goes on after: one range of an index. */
const RANGE = 'id >= ? AND id <> ?'
const IN_ORDER = 'ORDER BY id LIMIT ?'

const PAGE = `SELECT ${COLUMNS} FROM audit_records WHERE ${RANGE} ${IN_ORDER}`
/** Of these there are so many that a look at every record finds them as fast as an index would. */
const FREQUENT: readonly AuditEvent[] = ['login', 'logout']
const PAGE_OF_FREQUENT = `SELECT ${COLUMNS} FROM audit_records WHERE +event = ? AND ${RANGE} ${IN_ORDER}`
const PAGE_OF_RARE = `
  SELECT ${COLUMNS} FROM audit_records
  WHERE event = ? AND event NOT IN ('login', 'logout') AND ${RANGE} ${IN_ORDER}`

const PURGE = `
  DELETE FROM audit_records WHERE id IN (SELECT id FROM audit_records WHERE id < ? ORDER BY id LIMIT ?)`

/**
 * Both indexes are read in the order of ids and merged as they are read, so the cost is that of
 * the page. The plus sign keeps the index of the events out of it.
 */
function pageOfAccount(condition: '' | 'AND +event = ?'): string {
  return `
    SELECT ${COLUMNS} FROM audit_records WHERE account_id = ? AND ${RANGE} ${condition}
    UNION ALL
    SELECT ${COLUMNS} FROM audit_records
    WHERE other_account_id = ? AND account_id IS NOT other_account_id AND ${RANGE} ${condition}
    ${IN_ORDER}`
}

/** The audit log, a row each; the cost of a page of an account and one event is that of the account's records. */
export function createAuditLog({ prepare, read, write }: Database): AuditLog {
  const append = prepare(APPEND)
  const pageOfAll = prepare<AuditRow>(PAGE)
  const pageOfFrequent = prepare<AuditRow>(PAGE_OF_FREQUENT)
  const pageOfRare = prepare<AuditRow>(PAGE_OF_RARE)
  const pageOfOne = prepare<AuditRow>(pageOfAccount(''))
  const pageOfBoth = prepare<AuditRow>(pageOfAccount('AND +event = ?'))
  const purge = prepare(PURGE)

  function rowsOf({ accountId, event, since, after, limit }: AuditPageRequest): readonly AuditRow[] {
    const range = rangeOf(since, after)
    if (accountId === undefined) {
      if (event === undefined) return pageOfAll.all(...range, limit)
      return (FREQUENT.includes(event) ? pageOfFrequent : pageOfRare).all(event, ...range, limit)
    }
    if (event === undefined) return pageOfOne.all(accountId, ...range, accountId, ...range, limit)
    return pageOfBoth.all(accountId, ...range, event, accountId, ...range, event, limit)
  }

  return {
    append: (record) =>
      write(() => {
        append.run(...auditValues(record))
      }),
    page: (request) => read(() => rowsOf(request).map(auditRecordOf)),
    purge: (before, limit) => write(() => purge.run(timePrefix(before), limit).changes),
  }
}

/** The first id, and one that is left out. */
function rangeOf(since: Instant | undefined, after: AuditRecordId | undefined): readonly [string, string] {
  const from = since === undefined ? '' : timePrefix(since)
  return after === undefined ? [from, ''] : [after > from ? after : from, after]
}

export function auditRecordOf(row: AuditRow): AuditRecord {
  const [id, at, event, actor, subject, address, requestId, outcome, account, other, count, countKey] = row
  return {
    id,
    at,
    event,
    actor,
    ...(subject !== null && { subject }),
    ...(address !== null && { address }),
    ...(requestId !== null && { requestId }),
    outcome,
    ...(count !== null && { count }),
    ...(countKey !== null && { countKey }),
    accounts: [account, other].filter((one) => one !== null),
  }
}

/** In the order of `AUDIT_COLUMNS`. */
export function auditValues(record: AuditRecord): readonly (string | number | null)[] {
  const { id, at, event, actor, subject, address, requestId, outcome, accounts, count, countKey } = record
  return [
    ...[id, at, event, actor, subject ?? null, address ?? null, requestId ?? null, outcome],
    ...[accounts[0] ?? null, accounts[1] ?? null, count ?? null, countKey ?? null],
  ]
}
