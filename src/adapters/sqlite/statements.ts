import type { Row, Statement, Statements } from '../sql/statements.js'
import type { Database } from './database.js'

/** Prepares statements that each run as one call. Row locks are unnecessary, because SQLite has only one writer at a time. */
export function statementsOf({
  prepare,
  read,
  write,
}: Pick<Database, 'prepare' | 'read' | 'write'>): Statements {
  const runWith =
    (call: Database['read'] | Database['write']) =>
    <R extends Row>(sql: string): Statement<R> => {
      const prepared = prepare<R>(sql)
      return {
        run: (...values) => call(() => prepared.run(...values).changes),
        get: (...values) => call(() => prepared.get(...values)),
        all: (...values) => call(() => prepared.all(...values)),
      }
    }
  return { read: runWith(read), write: runWith(write), skipLocked: '', keyShare: '' }
}
