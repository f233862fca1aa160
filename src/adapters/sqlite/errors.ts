import { isRefusal, transient, unavailable } from '../../domain/refusal.js'

const BUSY = 5
const LOCKED = 6
const CONSTRAINT = 19
/** Unknown tables or columns; a damaged file; no database. */
const DAMAGES: readonly unknown[] = [1, 11, 26]
/** The file ends before its content does. */
const SHORT_READ = 522

const CANNOT_OPEN =
  'The database file cannot be opened: its folder is missing or may not be written, or this process has too many files ' +
  'open (raise the limit with "ulimit -n 1024", or LimitNOFILE= in the unit of systemd).'

/** What the primary result codes mean to an operator; no statement and no value is in it. */
const UNREACHABLE = new Map([
  [3, 'The database file may not be accessed: give it to the user of the service.'],
  [BUSY, 'The database file was kept locked by another process for too long.'],
  [LOCKED, 'A table of the database was kept locked for too long.'],
  [7, 'There is not enough memory for the database.'],
  [8, 'The database file cannot be written: give it and its folder to the user of the service.'],
  [10, 'The disk reported an error for the database file.'],
  [11, 'The database file is damaged: restore a backup.'],
  [13, 'The disk of the database file is full: make room on it.'],
  [14, CANNOT_OPEN],
  [15, 'The database file cannot be locked.'],
  [26, 'The database file is not a SQLite database: correct DATABASE_URL, or restore a backup.'],
])

/** True where another process holds the lock, so that trying again later makes sense. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** True if the content of the file is at fault: it is damaged, no database, or has other tables. */
export function isDamaged(error: unknown): boolean {
  return DAMAGES.includes(primaryCode(error)) || resultCode(error) === SHORT_READ
}

/** True where a unique index or a foreign key refused a row. */
export function isContradiction(error: unknown): boolean {
  return primaryCode(error) === CONSTRAINT
}

/** A Refusal `unavailable` where the file cannot be used; any other error as it came. */
export function asRefusal(error: unknown): unknown {
  if (isRefusal(error)) return error
  const code = primaryCode(error) ?? 0
  const detail = UNREACHABLE.get(code)
  if (detail === undefined) return error
  return code === BUSY || code === LOCKED ? transient(detail, error) : unavailable(detail, error)
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error)
  return code === undefined ? undefined : code & 0xff
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}
