import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import type { Store } from '../../../src/ports/store.js'

/** A store that is wrong in one way, and the laws that must notice. */
export type Breakage = {
  readonly name: string
  /** Labels of laws: `port: name`. */
  readonly breaks: readonly string[]
  open(): Store
}

type Ports = Omit<Store, 'ready' | 'close'>
type Alteration<Port extends keyof Ports> = (inner: Store[Port], store: Store) => Partial<Store[Port]>

/** Breaks calls of one port of a sound memory store. Laws of the same port are named without it. */
export function breakageOf<Port extends keyof Ports>(port: Port) {
  return (name: string, breaks: readonly string[], alter: Alteration<Port>): Breakage => ({
    name: `${port}: ${name}`,
    breaks: breaks.map((law) => (law.includes(': ') ? law : `${port}: ${law}`)),
    open() {
      const store = createMemoryStore()
      return { ...store, [port]: { ...store[port], ...alter(store[port], store) } }
    },
  })
}

/** Breaks a store as a whole. */
export function breakageOfStore(
  name: string,
  breaks: readonly string[],
  alter: (store: Store) => Partial<Store>,
): Breakage {
  return {
    name: `store: ${name}`,
    breaks,
    open() {
      const store = createMemoryStore()
      return { ...store, ...alter(store) }
    },
  }
}

/** The law about copies, as most ports have it. */
export const COPIES = 'changing what was passed in or handed out changes nothing in the store'

/** What a broken store throws on purpose. */
export class StoreError extends Error {}

/** The gap between a look and a write, in which everybody else gets their turn. */
export async function everybodyElse(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

/** Changes ids as a store does that gives each of its connections a block of them: who is alone is ahead of the others. */
export function idsInBlocks(): <Answer extends object>(insert: () => Promise<Answer>) => Promise<Answer> {
  let underWay = 0
  return async (insert) => {
    underWay += 1
    const block = underWay === 1 ? 1_000 : 0
    const answer = await insert()
    underWay -= 1
    return 'id' in answer ? { ...answer, id: Number(answer.id) + block } : answer
  }
}

/** What a look-up without a row gives in many a driver. */
export function nullFor<Value>(value: Value | undefined): Value | undefined {
  return value ?? (null as unknown as undefined)
}
