/**
 * Opens a file in the same way as Kennel, with every commit durable: with Node's own SQLite or, if Node has no SQLite, with the package
 * that has the same interface.
 */
export async function openDatabase(file) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'))
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  return database
}

/** Creates a client for each email, in one transaction. */
export async function seedAll(database, emails, clientOf) {
  database.exec('BEGIN IMMEDIATE')
  const clients = []
  for (const email of emails) clients.push({ email, ...(await clientOf(email)) })
  database.exec('COMMIT')
  return clients
}
