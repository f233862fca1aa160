import { AUDIT_COLUMNS, auditRecordOf, auditValues, type AuditRow } from './audit-log.js'
import { MAIL_COLUMNS, mailJobOf, mailValues, type MailRow } from './mail-queue.js'
import { upsert, type RecordTable } from './record-table.js'

/** A job is due at once and not claimed where it is put: its worker is at the other store. */
export const mailJob: RecordTable<'mailJob'> = {
  source: 'mail_jobs',
  columns: MAIL_COLUMNS.join(', '),
  key: ['id'],
  keyOf: ({ id }) => [id],
  read: (row) => mailJobOf(row as unknown as MailRow),
  remove: 'DELETE FROM mail_jobs WHERE id = ?',
  put: [
    {
      sql: upsert('mail_jobs', [...MAIL_COLUMNS, 'due_at', 'claimed_until'], ['id']),
      values: (job) => [[...mailValues(job), 0, 0]],
    },
  ],
}

export const auditRecord: RecordTable<'auditRecord'> = {
  source: 'audit_records',
  columns: AUDIT_COLUMNS.join(', '),
  key: ['id'],
  keyOf: ({ id }) => [id],
  read: (row) => auditRecordOf(row as unknown as AuditRow),
  remove: 'DELETE FROM audit_records WHERE id = ?',
  put: [
    {
      sql: upsert('audit_records', AUDIT_COLUMNS, ['id']),
      values: (record) => [auditValues(record)],
    },
  ],
}
