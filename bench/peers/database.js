/**
 * Opens a file as Kennel does, with every commit durable: by Node's own SQLite or, in a Node without SQLite, by the
 * package with the same interface.
 */
export async function openDatabase(file) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'))
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  return database
}

/** Does the work in one transaction. */
export async function inTransaction(database, work) {
  database.exec('BEGIN IMMEDIATE')
  const result = await work()
  database.exec('COMMIT')
  return result
}
