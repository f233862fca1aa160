import { ownActors, type AuditEvent, type AuditRecord, type AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import { timePrefix } from '../../domain/time-ordered-id.js'
import type { AuditLog, AuditPageRequest } from '../../ports/audit-log.js'
import type { Database } from './database.js'
import { allOf, betweenSlices, removeInSlices } from './slices.js'

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

/** One range of an index, of two ids, and its order. */
type Direction = { readonly range: string; readonly inOrder: string }

/** From the first id on, without the one that the page goes on after. */
const FORWARD: Direction = { range: 'id >= ? AND id <> ?', inOrder: 'ORDER BY id LIMIT ?' }
/** From the first id to before the one that the page goes on after. */
const BACK: Direction = { range: 'id >= ? AND id < ?', inOrder: 'ORDER BY id DESC LIMIT ?' }
/** Behind every id. */
const END = '\u{10ffff}'

/** Of these there are so many that a look at every record finds them as fast as an index would. */
const FREQUENT: readonly AuditEvent[] = ['login', 'logout']

const PURGE = `
  DELETE FROM audit_records WHERE id IN (SELECT id FROM audit_records WHERE id < ? ORDER BY id LIMIT ?)`

/**
 * Both indexes are read in the order of ids and merged as they are read, so the cost is that of
 * the page. The plus sign keeps the index of the events out of it.
 */
function pageOfAccount({ range, inOrder }: Direction, condition: '' | 'AND +event = ?'): string {
  return `
    SELECT ${COLUMNS} FROM audit_records WHERE account_id = ? AND ${range} ${condition}
    UNION ALL
    SELECT ${COLUMNS} FROM audit_records
    WHERE other_account_id = ? AND account_id IS NOT other_account_id AND ${range} ${condition}
    ${inOrder}`
}

/** Of an account, by the one index or the other; the slice of ids that come after one. */
const IDS_OF = {
  account_id: 'SELECT id FROM audit_records WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?',
  other_account_id: 'SELECT id FROM audit_records WHERE other_account_id = ? AND id > ? ORDER BY id LIMIT ?',
} as const

const FORGET = `
  UPDATE audit_records SET address = NULL, request_id = NULL, count_key = NULL
  WHERE id = ? AND actor IN (?, ?) AND (address IS NOT NULL OR request_id IS NOT NULL OR count_key IS NOT NULL)`

/** Each is a look at an index and at a row; few of them change a page that no other one does. */
const FORGOTTEN_AT_ONCE = 100

/** The five kinds of pages in one direction. */
function preparePages(prepare: Database['prepare'], direction: Direction) {
  const { range, inOrder } = direction
  const pageWhere = (condition: string) =>
    prepare<AuditRow>(`SELECT ${COLUMNS} FROM audit_records WHERE ${condition} ${inOrder}`)
  return {
    all: pageWhere(range),
    frequent: pageWhere(`+event = ? AND ${range}`),
    rare: pageWhere(`event = ? AND event NOT IN ('login', 'logout') AND ${range}`),
    one: prepare<AuditRow>(pageOfAccount(direction, '')),
    both: prepare<AuditRow>(pageOfAccount(direction, 'AND +event = ?')),
  }
}

/** The audit log, a row each; the cost of a page of an account and one event is that of the account's records. */
export function createAuditLog(database: Database): AuditLog {
  const { prepare, read, write } = database
  const append = prepare(APPEND)
  const forward = preparePages(prepare, FORWARD)
  const back = preparePages(prepare, BACK)
  const purge = prepare(PURGE)
  const idsOf = Object.values(IDS_OF).map((sql) => prepare<readonly [id: AuditRecordId]>(sql))
  const forgetOne = prepare(FORGET)

  /** A slice after the other, each a transaction of its own, as `removeInSlices` says why. */
  async function forgetBy(ids: (typeof idsOf)[number], accountId: AccountId): Promise<number> {
    const [self = '', unknown = ''] = ownActors(accountId)
    let changed = 0
    for (let after = ''; ;) {
      const slice = await write(() =>
        ids.all(accountId, after, FORGOTTEN_AT_ONCE).map(([id]) => ({
          id,
          changes: forgetOne.run(id, self, unknown).changes,
        })),
      )
      changed += slice.reduce((sum, { changes }) => sum + changes, 0)
      const last = slice.at(-1)
      if (!last || slice.length < FORGOTTEN_AT_ONCE) return changed
      after = last.id
      await betweenSlices(database)
    }
  }

  function rowsOf({ accountId, event, limit, ...position }: AuditPageRequest): readonly AuditRow[] {
    const range = rangeOf(position)
    const pages = position.order === 'newest-first' ? back : forward
    if (accountId === undefined) {
      if (event === undefined) return pages.all.all(...range, limit)
      return (FREQUENT.includes(event) ? pages.frequent : pages.rare).all(event, ...range, limit)
    }
    if (event === undefined) return pages.one.all(accountId, ...range, accountId, ...range, limit)
    return pages.both.all(accountId, ...range, event, accountId, ...range, event, limit)
  }

  return {
    append: (record) =>
      write(() => {
        append.run(...auditValues(record))
      }),
    page: (request) => read(() => rowsOf(request).map(auditRecordOf)),
    forget: async (accountId) => {
      let changed = 0
      for (const ids of idsOf) changed += await forgetBy(ids, accountId)
      return changed
    },
    purge: (before, limit) =>
      removeInSlices(database, limit, (slice) => allOf(purge.run(timePrefix(before), slice))),
  }
}

/** The first id, and one that is left out, or that the page ends before where it goes back. */
function rangeOf({ since, after, order }: Omit<AuditPageRequest, 'limit'>): readonly [string, string] {
  const from = since === undefined ? '' : timePrefix(since)
  if (order === 'newest-first') return [from, after ?? END]
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
