import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { Store } from '../../src/ports/store.js'
import { SERVER_STORE, type ServerStore } from './server-stores.js'
import { openAt } from './open-at.js'
import { openSqliteCopy } from './sqlite-copies.js'
import { makeTemporaryFolder } from './temporary-folder.js'

export type OpenedStore = {
  readonly store: Store
  readonly remove: () => Promise<void>
}

/** A store whose data remains after the store is closed. */
export type KeptStore = OpenedStore & {
  readonly again: () => Promise<OpenedStore>
  /** Returns all data that the store has written, in its stored form. */
  readonly contents: () => Promise<string>
}

async function openSqliteStore(): Promise<KeptStore> {
  const folder = makeTemporaryFolder()
  const path = join(folder.path, 'app.db')
  const store = await openSqliteCopy(path)
  return {
    store,
    again: async () => opened(await openSqlite(path)),
    contents: async () => {
      const files = [path, `${path}-wal`].filter((file) => existsSync(file))
      return files.map((file) => readFileSync(file, 'latin1')).join()
    },
    remove: async () => {
      await store.close()
      folder.remove()
    },
  }
}

async function openServerStore({ freshDatabase, contents }: ServerStore): Promise<KeptStore> {
  const { url, drop } = await freshDatabase()
  const store = await openAt(url)
  return {
    store,
    again: async () => opened(await openAt(url)),
    contents: () => contents(url),
    remove: async () => {
      await store.close()
      await drop()
    },
  }
}

function opened(store: Store): OpenedStore {
  return { store, remove: () => store.close() }
}

type Opener<Opened extends OpenedStore> = { readonly name: string; readonly open: () => Promise<Opened> }

export const KEPT: Opener<KeptStore> = SERVER_STORE
  ? { name: SERVER_STORE.name, open: openServerStore.bind(undefined, SERVER_STORE) }
  : { name: 'SQLite', open: openSqliteStore }

/** A new store of the kind that this run tests; closing it removes its data. */
export async function openAnyStore(): Promise<Store> {
  const { store, remove } = await KEPT.open()
  return { ...store, close: remove }
}

/** Opens stores for single tests, and removes them after each test. Must be called in a `describe`, after `servicesOfTests`. */
export function storesOfTests(): <Opened extends OpenedStore>(
  open: () => Promise<Opened>,
) => Promise<Opened> {
  const removable: OpenedStore[] = []
  afterEach(async () => {
    for (const { remove } of removable.splice(0).reverse()) await remove()
  })
  return async (open) => {
    const store = await open()
    removable.push(store)
    return store
  }
}
