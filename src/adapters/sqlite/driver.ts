import { optionalPackageError } from '../optional-package.js'

/** Values that can be bound. Any other first argument would shift the others. */
export type Value = string | number | bigint | null | Uint8Array

export type Row = readonly Value[]

/**
 * Returns rows as arrays. Parameters are plain question marks: Node before 22.16 takes numbered parameters for
 * named.
 */
export type Statement<R extends Row = Row> = {
  run(...values: readonly Value[]): { readonly changes: number; readonly lastInsertRowid: number }
  get(...values: readonly Value[]): R | undefined
  all(...values: readonly Value[]): readonly R[]
}

/** Must stay referenced while its statements are used. */
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
  readonly DatabaseSync: new (path: string) => NativeConnection
  /**
   * Whether closing a connection ends its statements; the package keeps the file open until they are collected.
   */
  readonly endsStatements: boolean
}

/**
 * Writes the log back, so that the file alone is complete. If no other process has the file open, closing then
 * removes the log; the package for Node 20 removes it when the last statement is collected.
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
 * Uses Node's own SQLite, or for Node 20 the package with the same interface. Rejects with the driver's error,
 * or with a Refusal `missing-package`.
 */
export async function connect(path: string): Promise<Connection> {
  const driver = await (loading ??= loadDriver())
  const native = new driver.DatabaseSync(path)
  const releases: (() => void)[] = []
  return {
    exec: (sql) => native.exec(sql),
    prepare: <R extends Row = Row>(sql: string) => {
      const statement = withArrays<R>(native.prepare(sql))
      return driver.endsStatements ? statement : releasable(statement, releases)
    },
    close: () => {
      native.close()
      for (const release of releases.splice(0)) release()
    },
  }
}

/** A statement that can be collected after its release, even if a closed store is still referenced. */
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

/** Never bundled: the package finds its native code by its own path, next to the bundle. */
async function loadPackage(): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ PACKAGE)
  } catch (error) {
    throw optionalPackageError(PACKAGE, error)
  }
}

/** Arrays cost a fifth less than objects, the only form of Node before 22.16. */
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

/** Suppresses this warning of Node, about which an operator can do nothing. */
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
