import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { Store } from '../../src/ports/store.js'
import { makeTemporaryFolder } from './temporary-folder.js'

let prepared: Promise<Uint8Array> | undefined

async function prepare(): Promise<Uint8Array> {
  const folder = makeTemporaryFolder()
  const path = join(folder.path, 'app.db')
  await (await openSqlite(path)).close()
  const bytes = readFileSync(path)
  folder.remove()
  return bytes
}

/** Opens a new file that already has the schema, because creating the schema takes longer than most tests of a store. */
export async function openSqliteCopy(path: string): Promise<Store> {
  writeFileSync(path, await (prepared ??= prepare()))
  return await openSqlite(path)
}
