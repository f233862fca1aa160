import { ownActors, type AuditEvent, type AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { timePrefix } from '../../domain/time-ordered-ids.js'
import type { AuditLog, AuditPageRequest } from '../../ports/audit-log.js'
import type { Database } from './database.js'
import { AUDIT_RECORD } from '../sql/records.js'
import type { Row } from '../sql/statements.js'
import { allOf, betweenSlices, removeInSlices } from './slices.js'

const SELECT = `SELECT ${AUDIT_RECORD.list} FROM audit_records`

/** A string that sorts after every ID. */
const END = '\u{10ffff}'

/** These events are so frequent that reading all records finds them as fast as an index would. */
const FREQUENT: readonly AuditEvent[] = ['login', 'logout']

/** The number of records in one transaction of `forget`. */
const FORGOTTEN_TOGETHER = 100

/** Prepares the five kinds of page queries for one direction; `range` uses the two IDs of `rangeOf`. */
function preparePages(prepare: Database['prepare'], range: string, inOrder: string) {
  const pageWhere = (condition: string) => prepare(`${SELECT} WHERE ${condition} ${inOrder}`)
  // SQLite merges both indexes in ID order, so the query reads only one page of records. The plus sign prevents SQLite from using the index
  // on events.
  const pageOfAccount = (condition: '' | 'AND +event = ?') =>
    pageWhere(`account_id = ? AND ${range} ${condition}
      UNION ALL
      ${SELECT}
      WHERE other_account_id = ? AND account_id IS NOT other_account_id AND ${range} ${condition}`)
  return {
    all: pageWhere(range),
    frequent: pageWhere(`+event = ? AND ${range}`),
    rare: pageWhere(`event = ? AND event NOT IN ('login', 'logout') AND ${range}`),
    one: pageOfAccount(''),
    both: pageOfAccount('AND +event = ?'),
  }
}

/** Reading a page for one account and one event may cost as much as reading all records of the account. */
export function createAuditLog(database: Database): AuditLog {
  const { prepare, read, write } = database
  const append = prepare(
    `INSERT INTO audit_records (${AUDIT_RECORD.list}) VALUES (${AUDIT_RECORD.parameters})
     ON CONFLICT (count_key) WHERE count_key IS NOT NULL DO UPDATE SET count = count + excluded.count`,
  )
  const forward = preparePages(prepare, 'id >= ? AND id <> ?', 'ORDER BY id LIMIT ?')
  const back = preparePages(prepare, 'id >= ? AND id < ?', 'ORDER BY id DESC LIMIT ?')
  const purge = prepare(
    'DELETE FROM audit_records WHERE id IN (SELECT id FROM audit_records WHERE id < ? ORDER BY id LIMIT ?)',
  )
  const idsOf = ['account_id', 'other_account_id'].map((column) =>
    prepare<readonly [id: AuditRecordId]>(
      `SELECT id FROM audit_records WHERE ${column} = ? AND id > ? ORDER BY id LIMIT ?`,
    ),
  )
  const forgetOne = prepare(
    `UPDATE audit_records SET address = NULL, request_id = NULL, count_key = NULL
     WHERE id = ? AND actor IN (?, ?)
       AND (address IS NOT NULL OR request_id IS NOT NULL OR count_key IS NOT NULL)`,
  )

  /** Changes the records in batches, for the reason that `removeInSlices` gives. */
  async function forgetBy(ids: (typeof idsOf)[number], accountId: AccountId): Promise<number> {
    const [self = '', unknown = ''] = ownActors(accountId)
    let changed = 0
    for (let after = ''; ;) {
      const slice = await write(() =>
        ids.all(accountId, after, FORGOTTEN_TOGETHER).map(([id]) => ({
          id,
          changes: forgetOne.run(id, self, unknown).changes,
        })),
      )
      changed += slice.reduce((sum, { changes }) => sum + changes, 0)
      if (slice.length < FORGOTTEN_TOGETHER) return changed
      after = slice.at(-1)?.id ?? after
      await betweenSlices(database)
    }
  }

  function rowsOf({ accountId, event, limit, ...position }: AuditPageRequest): readonly Row[] {
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
    append: (record) => write(() => void append.run(...AUDIT_RECORD.values(record))),
    page: (request) => read(() => rowsOf(request).map(AUDIT_RECORD.read)),
    forget: async (accountId) => {
      let changed = 0
      for (const ids of idsOf) changed += await forgetBy(ids, accountId)
      return changed
    },
    purge: (before, limit) =>
      removeInSlices(database, limit, (slice) => allOf(purge.run(timePrefix(before), slice))),
  }
}

/** Returns two IDs: the first ID of the range, and an ID to exclude; for `newest-first`, the excluded ID is the end of the range. */
function rangeOf({ since, after, order }: Omit<AuditPageRequest, 'limit'>): readonly [string, string] {
  const from = since === undefined ? '' : timePrefix(since)
  if (order === 'newest-first') return [from, after ?? END]
  return after === undefined ? [from, ''] : [after > from ? after : from, after]
}
