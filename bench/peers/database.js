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

/** Makes a client of each email, in one transaction. */
export async function seedAll(database, emails, clientOf) {
  database.exec('BEGIN IMMEDIATE')
  const clients = []
  for (const email of emails) clients.push({ email, ...(await clientOf(email)) })
  database.exec('COMMIT')
  return clients
}
