import { openPostgres, type PostgresStore } from '../../../src/adapters/postgresql/store.js'
import type { Client } from 'pg'
import type { Store } from '../../../src/ports/store.js'
import { freshDatabase, inDatabase, type FreshDatabase } from './server.js'

/** Selects every table of the store, with its schema. */
const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`

export async function contentsOf(url: string): Promise<string> {
  return await inDatabase(url, async (client) => {
    const rows = (await tablesOf(client)).map((name) => `SELECT stored::text AS row FROM ${name} AS stored`)
    return JSON.stringify((await client.query(rows.join(' UNION ALL '))).rows)
  })
}

/** Removes all data, including counters; the tables and the schema version remain. */
export async function emptyDatabase({ adminUrl }: Pick<FreshDatabase, 'adminUrl'>): Promise<void> {
  await inDatabase(adminUrl, async (client) => {
    const deletes = (await tablesOf(client)).map((name) =>
      name.endsWith('.meta') ? `DELETE FROM ${name} WHERE key <> 'schema';` : `DELETE FROM ${name};`,
    )
    // Disables foreign keys, so that tables can be emptied in any order.
    await client.query(`SET session_replication_role = replica; ${deletes.join(' ')}`)
    await client.query(`SELECT setval(seqrelid, seqstart, false) FROM pg_sequence`)
  })
}

/** Opens a store without data in a database that was used before. Creating all tables takes longer than checking a law. */
export async function openEmptied(database: FreshDatabase): Promise<Store> {
  await emptyDatabase(database)
  return await openPostgres(database.url)
}

/** Opens a store in a new database for each test of the surrounding `describe`, and removes both afterwards. */
export function storeOfTests(): () => { readonly store: PostgresStore; readonly database: FreshDatabase } {
  let database: FreshDatabase
  let store: PostgresStore
  beforeEach(async () => {
    database = await freshDatabase()
    store = await openPostgres(database.url)
  })
  afterEach(async () => {
    await store.close()
    await database.drop()
  })
  return () => ({ store, database })
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(TABLES)
  return rows.map(({ name }) => name)
}
