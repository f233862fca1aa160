import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJsonFileStore } from './json-file-store.js'

/**
 * Each law needs a fresh, empty store. The store is closed even if the law fails.
 *
 * @param {(store: import('kennel-id/ports').GivenStore) => Promise<void>} use
 */
export async function onFreshStore(use) {
  const folder = await mkdtemp(join(tmpdir(), 'json-file-store-'))
  const store = await openJsonFileStore(join(folder, 'store.json'))
  try {
    await use(store)
  } finally {
    await store.close()
    await rm(folder, { recursive: true })
  }
}
