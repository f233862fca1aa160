import { ownActors, type AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { timePrefix } from '../../domain/instant.js'
import type { AuditLog } from '../../ports/audit-log.js'
import type { Database } from './database.js'
import { createAuditPages } from '../sql/audit-pages.js'
import { statementsOf } from './statements.js'
import { allOf, betweenSlices, removeInSlices } from './transaction.js'

const FORGOTTEN_TOGETHER = 100

/** Stores the audit log. */
export function createAuditLog(database: Database): AuditLog {
  const { prepare, write } = database
  // `+` before a column prevents SQLite from using the index on this column.
  const pages = createAuditPages(statementsOf(database), { event: '+event', isDistinct: 'IS NOT' })
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

  return {
    ...pages,
    forget: async (accountId) => {
      let changed = 0
      for (const ids of idsOf) changed += await forgetBy(ids, accountId)
      return changed
    },
    purge: (before, limit) =>
      removeInSlices(database, limit, (slice) => allOf(purge.run(timePrefix(before), slice))),
  }
}
