import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import type { Store } from '../../../src/ports/store.js'
import { freshDatabase } from '../../support/mongodb/server.js'
import type { CheckedStore } from '../checker.js'

/** Stores one after the other: what was accepted must not fill the memory in the end, nor slow anything down. */
export type FreshStores = {
  open(): Promise<Store>
  /** An empty one in the place of the last, where it is time for that. */
  next(): Promise<Store | undefined>
  close(): Promise<void>
}

/** An empty one in memory costs nothing; another one is opened in every so many rounds. */
const ROUNDS: Readonly<Record<CheckedStore, number>> = { memory: 1, sqlite: 10, mongodb: 20 }

type Opened = { readonly store: Store; readonly remove: () => Promise<void> }

/** `place` is the folder of the files, or the URL of the server. */
export function freshStores(kind: CheckedStore, place: string): FreshStores {
  let opened: Opened | undefined
  let rounds = 0
  const close = async () => {
    await opened?.remove()
    opened = undefined
  }
  const open = async () => {
    const last = opened
    opened = await OPENERS[kind](place, rounds)
    await last?.remove()
    return opened.store
  }
  const next = async () => {
    rounds += 1
    return rounds % ROUNDS[kind] === 0 ? await open() : undefined
  }
  return { open, next, close }
}

const OPENERS: Readonly<Record<CheckedStore, (place: string, number: number) => Promise<Opened>>> = {
  memory: async () => {
    const store = createMemoryStore()
    return { store, remove: () => store.close() }
  },
  sqlite: async (place, number) => {
    const path = join(place, `${number}.db`)
    const store = await openSqlite(path)
    const remove = async () => {
      await store.close()
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    }
    return { store, remove }
  },
  mongodb: async (place) => {
    const database = freshDatabase(place)
    const store = await openMongo(database.url)
    const remove = async () => {
      await store.close()
      await database.drop()
    }
    return { store, remove }
  },
}
