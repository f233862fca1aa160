import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import type { Store } from '../../../src/ports/store.js'

export type OpenedStore = {
  readonly store: Store
  /** Absent where it is in memory. */
  readonly path?: string
  /** Closes it and takes its files away. */
  readonly remove: () => Promise<void>
}

export async function openSqliteStore(): Promise<OpenedStore & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-http-'))
  const path = join(folder, 'app.db')
  const store = await openSqlite(path)
  const remove = async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { store, path, remove }
}

/** The stores that the races are run on. */
export const STORES: readonly { readonly name: string; readonly open: () => Promise<OpenedStore> }[] = [
  {
    name: 'memory',
    open: async () => {
      const store = createMemoryStore()
      return { store, remove: () => store.close() }
    },
  },
  { name: 'SQLite', open: openSqliteStore },
]

/** Opens stores for single tests and removes them after each one. Call it in a `describe`, after `servicesOfTests`. */
export function storesOfTests(): <Opened extends OpenedStore>(
  open: () => Promise<Opened>,
) => Promise<Opened> {
  const opened: OpenedStore[] = []
  afterEach(async () => {
    for (const { remove } of opened.splice(0)) await remove()
  })
  return async (open) => {
    const store = await open()
    opened.push(store)
    return store
  }
}
