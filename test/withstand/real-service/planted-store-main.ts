import { openSync } from 'node:fs'
import { openMongo } from '../../../src/adapters/mongodb/index.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import type { PetId } from '../../../src/domain/catalogue/pet.js'
import { wrapStore, wrapPort, type PortFunction } from '../../../src/ports/wrap-port.js'
import type { Store } from '../../../src/ports/store.js'
import { PLANTED, PLANTED_STORE } from './orders.js'
import { STOP_BUGS } from './planted-stops.js'

/** A sound store with one planted bug, as a module that a service may be started with. */
export async function openStore(): Promise<Store> {
  const url = process.env[PLANTED_STORE] ?? ''
  const isFile = url.startsWith('sqlite:')
  const store = isFile ? await openSqlite(url.slice('sqlite:'.length)) : await openMongo(url)
  return (BUGS[process.env[PLANTED] ?? ''] ?? ((sound) => sound))(store)
}

type Bug = (store: Store) => Store

/** Every call of every port. */
function everyCall(around: (call: PortFunction, name: string) => PortFunction): Bug {
  return (store) =>
    wrapStore(store, (port, name) => wrapPort(port, (call, called) => around(call, `${name}.${called}`)))
}

/** What becomes of an error, in place of being thrown. */
function onError(what: (error: unknown) => unknown): Bug {
  return everyCall((call) => async (...args) => {
    try {
      return await call(...args)
    } catch (error) {
      return what(error)
    }
  })
}

let broken: unknown
const cached = new Map<string, unknown>()
const MADE_UP = 9_000_000

const BUGS: Readonly<Record<string, Bug>> = {
  ...STOP_BUGS,
  'swallowed-writes': (store) => ({
    ...store,
    pets: {
      ...store.pets,
      insert: (draft, idempotency) =>
        store.pets.insert(draft, idempotency).catch(() => ({ kind: 'inserted', id: MADE_UP as PetId })),
    },
  }),
  'answers-from-cache': everyCall((call, name) => async (...args) => {
    // The moment that comes after it is another one each time.
    const key = `${name} ${JSON.stringify(args[0])}`
    if (!/\.find/.test(name)) return await call(...args)
    try {
      const answer = await call(...args)
      cached.set(key, answer)
      return answer
    } catch (error) {
      if (cached.has(key)) return cached.get(key)
      throw error
    }
  }),
  'plain-errors': onError(() => {
    throw new TypeError('the store is away')
  }),
  'never-again': everyCall((call) => async (...args) => {
    if (broken instanceof Error) throw broken
    try {
      return await call(...args)
    } catch (error) {
      broken = error
      throw error
    }
  }),
  'leaked-descriptors': onError((error) => {
    openSync('/dev/null', 'r')
    throw error
  }),
  'written-later': (store) => ({
    ...store,
    pets: {
      ...store.pets,
      insert: async (draft, idempotency) => {
        try {
          return await store.pets.insert(draft, idempotency)
        } catch (error) {
          const timer = setInterval(() => {
            store.pets.insert(draft, idempotency).then(
              () => {
                clearInterval(timer)
              },
              () => undefined,
            )
          }, 100)
          throw error
        }
      },
    },
  }),
}
