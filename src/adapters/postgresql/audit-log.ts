import { ownActors } from '../../domain/audit.js'
import { timePrefix } from '../../domain/instant.js'
import type { AuditLog } from '../../ports/audit-log.js'
import { createAuditPages } from '../sql/audit-pages.js'
import { prepareRemoval, type PostgresStatements } from './statements.js'

/** Stores the audit log. */
export function createAuditLog(statements: PostgresStatements): AuditLog {
  const forget = statements.write(`
    UPDATE {audit_records} SET address = NULL, request_id = NULL, count_key = NULL
    WHERE (account_id = ? OR other_account_id = ?) AND actor IN (?, ?)
      AND (address IS NOT NULL OR request_id IS NOT NULL OR count_key IS NOT NULL)`)
  const remove = prepareRemoval(statements, 'audit_records', 'id', '<')
  return {
    ...createAuditPages(statements, { event: "(event || '')", isDistinct: 'IS DISTINCT FROM' }),
    forget: (accountId) => forget.run(accountId, accountId, ...ownActors(accountId)),
    purge: (before, limit) => remove(timePrefix(before), limit),
  }
}
