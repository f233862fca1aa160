import type { Instant } from '../../domain/instant.js'
import type { Statements } from '../sql/statements.js'

/**
 * Prepares the removal of the first rows up to a limit, in the order of an indexed column. Callers that run at the same time remove
 * different rows, and the locked rows cannot be extended before they are removed.
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
