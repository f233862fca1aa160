import type { Instant } from '../../domain/instant.js'
import type { Statements } from '../sql/statements.js'

/**
 * Prepares a statement that removes the first rows in the order of an indexed column, up to a limit. Concurrent callers remove different
 * rows, and no caller can extend the lifetime of a locked row.
 */
export function prepareRemoval(
  { write }: Pick<Statements, 'write'>,
  table: string,
  column: string,
  isBefore: '<' | '<=' = '<=',
): (end: Instant | string, limit: number) => Promise<number> {
  const remove = write(
    `DELETE FROM {${table}} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM {${table}} WHERE ${column} ${isBefore} ? ORDER BY ${column} LIMIT ? FOR UPDATE SKIP LOCKED
     ))`,
  )
  return (end, limit) => remove.run(end, limit)
}
