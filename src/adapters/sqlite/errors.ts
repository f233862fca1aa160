import { isRefusal, unavailable } from '../../domain/refusal.js'

const BUSY = 5
const CONSTRAINT = 19

/** What the primary result codes mean to an operator; no statement and no value is in it. */
const UNREACHABLE = new Map([
  [3, 'The database file may not be accessed.'],
  [BUSY, 'The database file was kept locked by another process for too long.'],
  [6, 'A table of the database was kept locked for too long.'],
  [7, 'There is not enough memory for the database.'],
  [8, 'The database file cannot be written.'],
  [10, 'The disk reported an error for the database file.'],
  [11, 'The database file is damaged.'],
  [13, 'The disk of the database file is full.'],
  [14, 'The database file cannot be opened.'],
  [15, 'The database file cannot be locked.'],
  [26, 'The file is not a database.'],
])

/** True where another process holds the lock, so that trying again later makes sense. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** True where a unique index or a foreign key refused a row. */
export function isContradiction(error: unknown): boolean {
  return primaryCode(error) === CONSTRAINT
}

/** A Refusal `unavailable` where the file cannot be used; any other error as it came. */
export function asRefusal(error: unknown): unknown {
  if (isRefusal(error)) return error
  const detail = UNREACHABLE.get(primaryCode(error) ?? 0)
  return detail === undefined ? error : unavailable(detail, error)
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error)
  return code === undefined ? undefined : code & 0xff
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}
