import type { AuditEvent } from '../../domain/audit.js'
import { timePrefix } from '../../domain/instant.js'
import type { AuditLog, AuditPageRequest } from '../../ports/audit-log.js'
import { AUDIT_RECORD } from './records.js'
import type { Row, Statements } from './statements.js'

const SELECT = `SELECT ${AUDIT_RECORD.list} FROM {audit_records}`

const END = '\u{10ffff}'

/** These events are so frequent that reading all records finds them as fast as an index would. */
const FREQUENT: readonly AuditEvent[] = ['login', 'logout']

/** `event` is an expression that reads the event column in a way that prevents the database from using an index. */
type Dialect = { readonly event: string; readonly isDistinct: 'IS NOT' | 'IS DISTINCT FROM' }

/** Prepares the page queries for one sort order; the parameters of `range` are the two IDs from `rangeOf`. */
function preparePages(
  { read }: Statements,
  { event, isDistinct }: Dialect,
  [range, inOrder]: readonly [range: string, inOrder: string],
) {
  const pageWhere = (condition: string) => read(`${SELECT} WHERE ${condition} ${inOrder}`)
  // The database merges both indexes in ID order, so the query reads only one page of records.
  const pageOfAccount = (condition: string) =>
    pageWhere(`account_id = ? AND ${range} ${condition}
      UNION ALL
      ${SELECT}
      WHERE other_account_id = ? AND account_id ${isDistinct} other_account_id AND ${range} ${condition}`)
  return {
    all: pageWhere(range),
    frequent: pageWhere(`${event} = ? AND ${range}`),
    rare: pageWhere(`event = ? AND event NOT IN ('login', 'logout') AND ${range}`),
    one: pageOfAccount(''),
    both: pageOfAccount(`AND ${event} = ?`),
  }
}

/** Reading a page for one account and one event may cost as much as reading all records of the account. */
export function createAuditPages(
  statements: Statements,
  dialect: Dialect,
): Pick<AuditLog, 'append' | 'page'> {
  const append = statements.write(
    `INSERT INTO {audit_records} AS r (${AUDIT_RECORD.list}) VALUES (${AUDIT_RECORD.parameters})
     ON CONFLICT (count_key) WHERE count_key IS NOT NULL DO UPDATE SET count = r.count + excluded.count`,
  )
  const forward = preparePages(statements, dialect, ['id >= ? AND id <> ?', 'ORDER BY id LIMIT ?'])
  const back = preparePages(statements, dialect, ['id >= ? AND id < ?', 'ORDER BY id DESC LIMIT ?'])

  function rowsOf({ accountId, event, limit, ...position }: AuditPageRequest): Promise<readonly Row[]> {
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
    append: async (record) => {
      await append.run(...AUDIT_RECORD.values(record))
    },
    page: async (request) => (await rowsOf(request)).map(AUDIT_RECORD.read),
  }
}

/** Returns two IDs: the first ID of the range, and an ID to exclude; for `newest-first`, the excluded ID is the end of the range. */
function rangeOf({ since, after, order }: Omit<AuditPageRequest, 'limit'>): readonly [string, string] {
  const from = since === undefined ? '' : timePrefix(since)
  if (order === 'newest-first') return [from, after ?? END]
  return after === undefined ? [from, ''] : [after > from ? after : from, after]
}
