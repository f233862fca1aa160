import { optionalPackageError } from '../optional-package.js'

/** All that can be bound and read. Anything else as a first argument would shift the others. */
export type Value = string | number | bigint | null | Uint8Array

/** One row, its columns in the order of the statement. */
export type Row = readonly Value[]

/**
 * A prepared statement whose rows come as arrays. Its parameters are plain question marks: Node
 * before 22.16 takes numbered ones for named ones.
 */
export type Statement<R extends Row = Row> = {
  run(...values: readonly Value[]): { readonly changes: number; readonly lastInsertRowid: number }
  get(...values: readonly Value[]): R | undefined
  all(...values: readonly Value[]): readonly R[]
}

/** One open database file. It has to stay referenced for as long as its statements are in use. */
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
  /** Whether closing a connection ends its statements. With the package the file stays open until they are collected. */
  readonly endsStatements: boolean
}

/**
 * Brings the log into the file, so that the file alone is complete. If no other process has the file open, closing
 * then removes the log; with the package of Node 20 that happens when the last statement has been collected.
 */
export function emptyLog(connection: Connection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The log keeps its commits, and the next process that opens the file reads them.
  }
}

let loading: Promise<Driver> | undefined

/**
 * Opens a file with Node's own SQLite, or with the package of the same interface where Node has
 * none (Node 20). Rejects with the driver's error, or with a Refusal `missing-package`.
 */
export async function connect(path: string): Promise<Connection> {
  const driver = await (loading ??= loadDriver())
  const native = new driver.DatabaseSync(path)
  const releases: (() => void)[] = []
  return {
    exec: (sql) => {
      native.exec(sql)
    },
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

/** A statement that can be collected once it is released, also where a closed store is held on to. */
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

/** Never part of a bundle: it finds its native code by its own path. It is looked for from where the bundle is. */
async function loadPackage(): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ PACKAGE)
  } catch (error) {
    throw optionalPackageError(PACKAGE, error)
  }
}

/** Arrays cost a fifth less than objects; Node before 22.16 can only make objects. */
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

/** Node warns while it loads the module; an operator can do nothing about it. Other warnings pass. */
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
