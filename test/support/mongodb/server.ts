import { randomBytes } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { TOOLS } from '../required-tools.js'

export const FIXTURE_URL = 'TEST_MONGODB_URL'

/** A separate database on the MongoDB server of this run. Dropping the database twice is harmless. */
export type FreshDatabase = { readonly url: string; readonly drop: () => Promise<void> }

/** The server in MONGODB_URL, or the server that was started for this run. */
export function freshDatabase(server = serverUrl()): FreshDatabase {
  const name = `kennel_test_${randomBytes(8).toString('hex')}`
  const url = withName(server, name)
  let dropping: Promise<void> | undefined
  return { url, drop: () => (dropping ??= drop(url, name)) }
}

async function drop(url: string, name: string): Promise<void> {
  const client = new MongoClient(url)
  await client.db(name).dropDatabase()
  await client.close()
}

function serverUrl(): string {
  const url = process.env['MONGODB_URL'] ?? process.env[FIXTURE_URL]
  if (url === undefined) throw new Error(TOOLS.mongodb.missing)
  return url
}

/** The host part may name several servers, so the platform cannot parse it as a URL. */
function withName(url: string, name: string): string {
  return url.replace(/^([^/]+\/\/[^/?]+)\/?[^?]*/, `$1/${name}`)
}
