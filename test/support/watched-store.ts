import { createMemoryStore } from '../../src/adapters/memory/store.js'
import type { Retrying } from '../../src/application/retrying.js'
import { wrapStore } from '../../src/application/wrap-port.js'
import { transient, unavailable } from '../../src/domain/refusal.js'
import type { Store } from '../../src/ports/store.js'

/** `name` consists of the port and the call, such as `sessions.find`; `run` makes the real call. */
export type Watcher = (name: string, run: () => Promise<unknown>) => Promise<unknown>

/** Makes every call of a store go through a watcher, which may count, hold or replace the call. */
export function watching(watcher: Watcher): (store: Store) => Store {
  return (store) =>
    wrapStore(
      store,
      (call, name, port) =>
        (...args) =>
          watcher(`${port}.${name}`, async () => await call(...args)),
    )
}

/** Returns a memory store, and the names of the calls it has received, such as `accounts.find`. */
export function recordingStore(): { readonly store: Store; readonly calls: string[] } {
  const calls: string[] = []
  const store = watching((name, run) => {
    calls.push(name)
    return run()
  })(createMemoryStore())
  return { store, calls }
}

export const SLOW = transient('The store did not answer in time.')

/** Tries a call up to a thousand times while it fails with `SLOW`. */
export const retrying: Retrying = async (call) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (error !== SLOW || tries === 1_000) throw error
    }
  }
}

export const MISHAPS = {
  fails: () => Promise.reject(new Error('the store broke')),
  'is away': () => Promise.reject(unavailable('no route to the store')),
  'is slow': () => Promise.reject(SLOW),
  'loses its answer': async (run) => {
    await run()
    throw unavailable('the connection broke')
  },
} satisfies Readonly<Record<string, Mishap>>

type Mishap = (run: () => Promise<unknown>) => Promise<unknown>

/** Makes all store calls fail with `mishap` while `broken` is set. */
export function breakable(mishap: Mishap = MISHAPS.fails) {
  const state = { broken: false }
  const aroundStore = watching((_name, run) => (state.broken ? mishap(run) : run()))
  return Object.assign(state, { aroundStore })
}

/** Holds calls: `reached` resolves when a call has arrived, and the call continues after `release`. */
export function createGate() {
  let arrive: () => void = () => undefined
  let open: () => void = () => undefined
  const reached = new Promise<void>((resolve) => (arrive = resolve))
  const opened = new Promise<void>((resolve) => (open = resolve))
  return {
    reached,
    release: () => {
      open()
    },
    pass: async () => {
      arrive()
      await opened
    },
  }
}
