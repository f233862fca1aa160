import { isRefusal, transient, unavailable, unusable, type Refusal } from '../../domain/refusal.js'

const BUSY = 5
const LOCKED = 6
const FULL = 13
/** Result code: the disk has no space for the 32 KiB of the `-shm` file, which the first process that opens the database creates. */
const NO_ROOM_FOR_SHARED_MEMORY = 4_874
const CONSTRAINT = 19
const NOT_A_DATABASE = 26
/** Primary result code of a statement error, for example because of a missing table. */
const STATEMENT = 1
const DAMAGES: readonly unknown[] = [STATEMENT, 11, NOT_A_DATABASE]
const SHORT_READ = 522

const CANNOT_OPEN =
  'The database file cannot be opened: its folder is missing or not writable, or this process has too many files ' +
  'open (raise the limit with "ulimit -n 1024", or LimitNOFILE= in the systemd unit).'

const UNREACHABLE = new Map([
  [
    3,
    'This process has no access to the database file: make the user that runs the service the owner of the file.',
  ],
  [BUSY, 'Another process held the lock on the database file for too long.'],
  [LOCKED, 'A table of the database was locked for too long.'],
  [7, 'There is not enough memory for the database.'],
  [
    8,
    'The database file cannot be written to: make the user that runs the service the owner of the file and its folder.',
  ],
  [10, 'The disk reported an error while accessing the database file.'],
  [11, 'The database file is damaged: restore a backup.'],
  [
    FULL,
    'The disk that holds the database file is full: remove copies and logs from the disk, or enlarge the volume.',
  ],
  [14, CANNOT_OPEN],
  [15, 'The database file cannot be locked.'],
  [NOT_A_DATABASE, 'The database file is not a SQLite database: correct DATABASE_URL, or restore a backup.'],
])

const UNREADABLE_NUMBER =
  'The database file contains a number beyond 2^53, which another program has written: restore a backup.'
const FOREIGN_TABLES =
  'The tables of the database file do not match its schema version: restore a backup, or set DATABASE_URL to another file.'

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** Returns whether the file is damaged, is not a database, or lacks expected tables or columns. */
export function isDamaged(error: unknown): boolean {
  return DAMAGES.includes(primaryCode(error)) || resultCode(error) === SHORT_READ
}

export function isContradiction(error: unknown): boolean {
  return primaryCode(error) === CONSTRAINT
}

/** Returns an `unavailable` Refusal if the file cannot be used; returns any other error unchanged. */
export function asRefusal(error: unknown): unknown {
  if (isRefusal(error)) return error
  if (isOutOfRange(error)) return unavailable(UNREADABLE_NUMBER, error)
  const code = primaryCode(error) ?? 0
  const detail = UNREACHABLE.get(code)
  if (detail === undefined) return error
  return code === BUSY || code === LOCKED ? transient(detail, error) : unavailable(detail, error)
}

export function foreignTables(error: unknown): Refusal {
  return unusable('incompatible-store', FOREIGN_TABLES, error)
}

/**
 * Converts an error that occurred while opening a file. A file that is not a database when it is first opened means that DATABASE_URL is
 * wrong; later, it means that the file was overwritten, so the store is `unavailable`.
 */
export function openingError(error: unknown): unknown {
  const cause = isRefusal(error) ? error.cause : error
  const code = primaryCode(cause)
  if (code === STATEMENT) return foreignTables(cause)
  if (code === NOT_A_DATABASE) return unusable('incompatible-store', UNREACHABLE.get(code) ?? '', cause)
  return asRefusal(error)
}

/** Returns whether the driver could not read an integer that JavaScript cannot represent. The drivers use different codes for this error. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Value is too large to be represented')
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error)
  if (code === NO_ROOM_FOR_SHARED_MEMORY) return FULL
  return code === undefined ? undefined : code & 0xff
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}
