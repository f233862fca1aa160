import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { optionalPackageError } from '../optional-package.js'
import type { Row, Value } from '../sql/statements.js'

/**
 * A statement that returns rows as arrays. Pass only `Value`s: SQLite would interpret an object in the first position as named parameters
 * and shift the other arguments. Use `?` only, because Node before 22.16 treats numbered parameters as named.
 */
export type Statement<R extends Row = Row> = {
  run(...values: readonly Value[]): { readonly changes: number; readonly lastInsertRowid: number }
  get(...values: readonly Value[]): R | undefined
  all(...values: readonly Value[]): readonly R[]
}

/** Keep a reference to the connection while its statements are in use. */
export type Connection = {
  readonly exec: (sql: string) => void
  readonly prepare: <R extends Row = Row>(sql: string) => Statement<R>
  readonly close: () => void
}

type NativeStatement = Statement & { setReturnArrays?(on: boolean): void }
type NativeConnection = {
  exec(sql: string): void
  prepare(sql: string): NativeStatement
  close(): void
}
type Driver = {
  readonly DatabaseSync: new (
    path: string | URL,
    options?: { readonly readOnly: boolean },
  ) => NativeConnection
  /** Whether closing a connection finalizes its statements; otherwise, the file stays open until they are garbage-collected. */
  readonly endsStatements: boolean
}

/**
 * Copies the write-ahead log into the database file, so that the database file alone is complete. If no other process has the file open,
 * closing the connection also removes the log; on Node 20, the log remains until the last statement is garbage-collected.
 */
export function emptyLog(connection: Connection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next process that opens the file reads the log.
  }
}

let loading: Promise<Driver> | undefined

/**
 * Opens a connection with Node's own SQLite, or on Node 20 with a package that has the same interface. Rejects with the driver's error, or
 * with a `missing-package` Refusal.
 */
export async function connect(path: string): Promise<Connection> {
  const driver = await (loading ??= loadDriver())
  return wrapped(driver, new driver.DatabaseSync(path))
}

/** Like `connect`, but never writes to the file. */
export async function connectReadOnly(path: string): Promise<Connection> {
  const driver = await (loading ??= loadDriver())
  const open = (place: string | URL) => wrapped(driver, new driver.DatabaseSync(place, { readOnly: true }))
  if (existsSync(`${path}-wal`)) return open(path)
  // No process has the file open, so SQLite may treat it as immutable. Otherwise SQLite would create companion files, possibly owned by a
  // user other than the service's user.
  const unchanging = pathToFileURL(path)
  unchanging.searchParams.set('immutable', '1')
  try {
    return open(unchanging)
  } catch {
    // Node before 22.15 does not accept a URL.
    return open(path)
  }
}

function wrapped(driver: Driver, native: NativeConnection): Connection {
  const releases: (() => void)[] = []
  return {
    exec: (sql) => native.exec(sql),
    prepare: <R extends Row = Row>(sql: string) => {
      // Only PostgreSQL needs the braces around table names.
      const statement = withArrays<R>(native.prepare(sql.replace(/\{(\w+)\}/g, '$1')))
      return driver.endsStatements ? statement : releasable(statement, releases)
    },
    close: () => {
      native.close()
      for (const release of releases.splice(0)) release()
    },
  }
}

/** Wraps a statement that can be garbage-collected after its release, even if a closed store is still referenced. */
function releasable<R extends Row>(statement: Statement<R>, releases: (() => void)[]): Statement<R> {
  let held: Statement<R> | undefined = statement
  releases.push(() => (held = undefined))
  const open = (): Statement<R> => {
    if (!held) throw new Error('The connection is closed.')
    return held
  }
  return {
    run: (...values) => open().run(...values),
    get: (...values) => open().get(...values),
    all: (...values) => open().all(...values),
  }
}

async function loadDriver(): Promise<Driver> {
  const builtIn = withoutWarning('SQLite is an experimental feature', () =>
    process.getBuiltinModule('node:sqlite'),
  )
  const { DatabaseSync } = (builtIn ?? (await loadPackage())) as Driver
  return { DatabaseSync, endsStatements: builtIn !== undefined }
}

const PACKAGE = '@photostructure/sqlite'

/** Must not be bundled, because the package finds its native code relative to its own path. */
async function loadPackage(): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ PACKAGE)
  } catch (error) {
    throw optionalPackageError(PACKAGE, error)
  }
}

/** Returns rows as arrays, which takes 20 % less time than returning objects. Node before 22.16 returns only objects. */
function withArrays<R extends Row>(statement: NativeStatement): Statement<R> {
  if (statement.setReturnArrays) {
    statement.setReturnArrays(true)
    return statement as Statement as Statement<R>
  }
  const columns = (row: object) => Object.values(row) as readonly Value[] as R
  return {
    run: (...values) => statement.run(...values),
    get: (...values) => {
      const row = statement.get(...values)
      return row && columns(row)
    },
    all: (...values) => statement.all(...values).map(columns),
  }
}

/** Suppresses a Node warning that requires no action from an operator. */
function withoutWarning<T>(beginning: string, load: () => T): T {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith(beginning)) emitWarning(warning, ...rest)
  }
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
