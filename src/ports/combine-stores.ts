import { createClosingGate } from './closing-gate.js'
import { STORE_PORTS, type MayLack, type Store, type StorePart, type StorePort } from './store.js'
import { wrapPort, wrapStore } from './wrap-port.js'

/** The ports that a part gives. */
type Given<Part> = {
  [Port in keyof Part & StorePort]: MayLack<Part[Port]> extends true ? never : Port
}[keyof Part & StorePort]

/** Of the ports of one name the last is taken. */
type Combined<Parts extends readonly StorePart[]> = Parts extends readonly [
  ...infer Before extends readonly StorePart[],
  infer Last,
]
  ? Exclude<Combined<Before>, keyof Last> | Given<Last>
  : never

/**
 * One store of ports that come from several places, such as `combineStores(await openSqlite(path), { accounts, roles,
 * sessions, apiKeys, revocations })`. As with the spread of objects the last one of a name counts, and one that is
 * `undefined` is left out.
 *
 * Some ports read what others of their store have written: a session has its account, an account and an API key have
 * roles, a revocation looks at the account, a second factor is one of an account. Such ports belong together: throws a TypeError where a part that brings
 * both would be asked for one of them alone. What stands around one port of a store is given with the others of it, as
 * `{ ...store, sessions }`. `records` are left out, for they are all of one store and nothing of the others.
 *
 * `ready` asks each part that can say so. `close` waits for what is under way and closes each part that can be closed
 * once, whatever becomes of the others; it rejects with an AggregateError of what went wrong. Twice is fine. Every call
 * after it is refused with `unavailable`, also of a part that is not closed by it.
 */
export function combineStores<const Parts extends readonly StorePart[]>(
  ...parts: Parts
): Pick<Store, Exclude<Combined<Parts>, 'records'> | 'ready' | 'close'> {
  const places = [...new Set<StorePart>(parts)]
  const gate = createClosingGate('This combination of stores is closed.')
  const store = {
    ...portsOf(parts),
    ready: () =>
      gate.pass(async () => {
        await Promise.all(places.map(async (part) => await part.ready?.()))
      }),
    close: () => gate.close(async () => await closeAll(places)),
  }
  return wrapStore(store as Store, (port) =>
    wrapPort(
      port,
      (call) =>
        async (...args) =>
          await gate.pass(async () => await call(...args)),
    ),
  )
}

/** The ports that each port reads the rows of. */
const READ_BY: Readonly<Partial<Record<StorePort, readonly StorePort[]>>> = {
  accounts: ['roles'],
  roles: ['accounts'],
  sessions: ['accounts', 'roles'],
  revocations: ['accounts'],
  apiKeys: ['roles'],
  secondFactors: ['accounts'],
}

function portsOf(parts: readonly StorePart[]): StorePart {
  const sources = new Map<StorePort, StorePart>()
  for (const name of STORE_PORTS) {
    const source = parts.findLast((part) => name in part)
    if (name !== 'records' && source?.[name]) sources.set(name, source)
  }
  const torn = tornIn(sources)
  if (torn) throw tornApart(torn.name, torn.other)
  return Object.fromEntries(Array.from(sources, ([name, source]) => [name, source[name]]))
}

/** A port and one whose rows it reads, of two parts, where either part brings both: its own is then left unused. */
function tornIn(sources: ReadonlyMap<StorePort, StorePart>) {
  const apart = Array.from(sources, ([name, source]) =>
    (READ_BY[name] ?? []).map((other) => ({ name, other, source, second: sources.get(other) ?? source })),
  )
    .flat()
    .filter(({ source, second }) => source !== second)
  return apart.find(({ source, other }) => source[other]) ?? apart.find(({ second, name }) => second[name])
}

function tornApart(name: StorePort, other: StorePort): TypeError {
  return new TypeError(
    `combineStores: ${name} would read the ${other} of its own store, and the ${other} are another's; give both from one place, or leave ${name} out (${name}: undefined)`,
  )
}

async function closeAll(places: readonly StorePart[]): Promise<void> {
  const outcomes = await Promise.allSettled(places.map(async (part) => await part.close?.()))
  const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (errors.length > 0) throw new AggregateError(errors, 'a part of the store could not be closed')
}
