import { suggestionFor } from '../domain/messages.js'
import { isPromise, promiseError } from '../composition-root/custom-parts/check.js'
import { wrapStore } from '../application/wrap-port.js'
import { changePorts, completePort, type MayLack, type StorePart } from '../ports/given-store.js'
import { STORE_PORTS } from '../ports/calls/store.js'
import type { Store, StorePort } from '../ports/store.js'
import { createClosingGate } from './closing-gate.js'

type PortsOf<Part> = {
  [Port in keyof Part & StorePort]: MayLack<Part[Port]> extends true ? never : Port
}[keyof Part & StorePort]

/** For each port name, the last port with this name. */
type Combined<Parts extends readonly StorePart[]> = Parts extends readonly [
  ...infer Before extends readonly StorePart[],
  infer Last,
]
  ? Exclude<Combined<Before>, keyof Last> | PortsOf<Last>
  : never

/**
 * Combines the ports of several stores. As with object spread, if several parts have a port with the same name, the last port is used; a
 * port that is `undefined` is omitted. `copyableRecords` is also omitted, because it covers the records of a whole store.
 *
 * Some ports read records that belong to other ports of the same store: a session includes its account; an account and an API key include
 * roles; an API key becomes invalid when its account is disabled or deleted. Throws a TypeError if two ports of the same part are separated
 * although one of them reads records of the other, if a part is a promise, or if the name of a port is misspelled. Pass a wrapped port
 * together with the other ports of its store: `{ ...store, sessions }`.
 *
 * `ready` calls `ready` of each part that has this method. `close` waits for running calls and closes each part once, even if closing
 * another part fails; it rejects with an AggregateError that contains all failures. A second `close` returns the same result. Every
 * later call is refused with `unavailable`, even if the part that it calls has no `close` method.
 *
 * @example
 * ```ts
 * import { combineStores, openKennel } from 'kennel-id'
 * import type { Pets } from 'kennel-id/ports'
 * import { openSqlite } from 'kennel-id/sqlite'
 *
 * declare const pets: Pets
 *
 * const store = combineStores(await openSqlite('data/kennel.db'), { pets })
 * const publicUrl = 'https://kennel.example'
 * const kennel = await openKennel({ store, passphrase: process.env.SECURITY_JWT_PASSPHRASE, publicUrl })
 * ```
 */
export function combineStores<const Parts extends readonly StorePart[]>(
  ...parts: Parts
): Pick<Store, Exclude<Combined<Parts>, 'copyableRecords'> | 'ready' | 'close'> {
  assertParts(parts)
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
  return wrapStore(
    changePorts(store as Store, completePort),
    (call) =>
      async (...args) =>
        await gate.pass(async () => await call(...args)),
  )
}

/** A port with a misspelled name would be left out, and the port of another store would be used instead. */
function assertParts(parts: readonly StorePart[]): void {
  for (const [at, part] of parts.entries()) {
    if (isPromise(part)) throw new TypeError(`combineStores: ${promiseError(`argument ${at + 1}`)}`)
    const unknown = Object.keys(part).filter((name) => !STORE_PORTS.some((port) => port === name))
    for (const name of unknown) {
      const meant = suggestionFor(name, STORE_PORTS)
      if (meant !== undefined)
        throw new TypeError(`combineStores: ${name} is not a port of a store; did you mean ${meant}?`)
    }
  }
}

/** Maps each port to the ports whose records it reads. */
const READ_BY: Readonly<Partial<Record<StorePort, readonly StorePort[]>>> = {
  accounts: ['roles'],
  roles: ['accounts'],
  sessions: ['accounts', 'roles'],
  revocations: ['accounts'],
  apiKeys: ['accounts', 'roles'],
  secondFactors: ['accounts'],
  passkeys: ['accounts'],
  proofs: ['accounts', 'roles'],
}

function portsOf(parts: readonly StorePart[]): StorePart {
  const sources = new Map<StorePort, StorePart>()
  for (const name of STORE_PORTS) {
    const source = parts.findLast((part) => name in part)
    if (name !== 'copyableRecords' && source?.[name]) sources.set(name, source)
  }
  const torn = tornIn(sources)
  if (torn) throw tornApart(torn.name, torn.other)
  return Object.fromEntries(Array.from(sources, ([name, source]) => [name, source[name]]))
}

/** Finds two ports that belong together but would come from different parts, although one part has both. */
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
    `combineStores: ${name} would read the ${other} of its own store, but the ${other} come from another store; take both from the same store, or leave ${name} out (${name}: undefined)`,
  )
}

async function closeAll(places: readonly StorePart[]): Promise<void> {
  const outcomes = await Promise.allSettled(places.map(async (part) => await part.close?.()))
  const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (errors.length > 0) throw new AggregateError(errors, 'a part of the store could not be closed')
}
