import type { Store } from '../../src/ports/store.js'

/** `name` is port and call, such as `sessions.find`; `run` makes the real call. */
export type Watcher = (name: string, run: () => Promise<unknown>) => Promise<unknown>

type Port = Record<string, (...args: unknown[]) => Promise<unknown>>
const PORTS = [
  ...(['accounts', 'sessions', 'pets', 'roles', 'apiKeys', 'projects', 'revocations'] as const),
  ...(['attempts', 'audit', 'mailQueue', 'secondFactors'] as const),
]

/** Makes every call of a store go through a watcher, which may count, hold or replace it. */
export function watching(watcher: Watcher): (store: Store) => Store {
  return (store) => {
    const ports = PORTS.map((name) => [name, watchPort(name, store[name] as unknown as Port, watcher)])
    return { ...store, ...(Object.fromEntries(ports) as Partial<Store>) }
  }
}

function watchPort(name: string, port: Port, watcher: Watcher): Port {
  const calls = Object.entries(port).map(([call, run]) => [
    call,
    (...args: unknown[]) => watcher(`${name}.${call}`, () => run(...args)),
  ])
  return Object.fromEntries(calls) as Port
}

/** Holds calls: `reached` resolves when one is there, and it goes on after `release`. */
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
