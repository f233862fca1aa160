import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { openPostgres } from '../../../src/adapters/postgresql/store.js'
import { TOOLS } from '../required-tools.js'

export const FIXTURE_URL = 'TEST_POSTGRESQL_URL'

export type FreshDatabase = Awaited<ReturnType<typeof freshDatabase>>

/**
 * Creates a database on the server of this run, or on the server at the given superuser URL. Its owner is a role without other
 * permissions. Dropping the database twice is harmless.
 */
export async function freshDatabase(server = serverUrl()) {
  /** The name of the database, which is also the name of the role. */
  const name = `kennel_test_${randomBytes(8).toString('hex')}`
  await inDatabase(server, (client) => client.query(`CREATE ROLE ${name} LOGIN`))
  await inDatabase(server, (client) => client.query(`CREATE DATABASE ${name} OWNER ${name}`))
  /** The address for the superuser. */
  const adminUrl = addressOf(server, { pathname: name })
  let dropping: Promise<void> | undefined
  const drop = async () => {
    await inDatabase(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    await inDatabase(server, (client) => client.query(`DROP ROLE ${name}`))
  }
  return { name, url: addressOf(adminUrl, { username: name }), adminUrl, drop: () => (dropping ??= drop()) }
}

/** Adds tables with the names of the store's tables in a different schema, which the role then searches first. */
export async function addForeignTables({ name, url }: FreshDatabase): Promise<void> {
  await (await openPostgres(url)).close()
  await inDatabase(url, (client) =>
    client.query(`
      CREATE SCHEMA other;
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'kennel' LOOP
          EXECUTE format('CREATE TABLE other.%I (key text)', name);
        END LOOP;
      END $$;
      ALTER ROLE ${name} SET search_path = other`),
  )
}

/** Runs the work with a connection to this database. */
export async function inDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function addressOf(url: string, change: { readonly pathname?: string; readonly username?: string }): string {
  return Object.assign(new URL(url), change).href
}

function serverUrl(): string {
  const url = process.env[FIXTURE_URL]
  if (url === undefined) throw new Error(TOOLS.postgresql.missing)
  return url
}
