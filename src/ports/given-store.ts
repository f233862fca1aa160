import type { Calls } from './calls/call.js'
import { STORE_CALLS, STORE_PORTS, type OptionalCalls } from './calls/store.js'
import type { OptionalPort, Store, StorePort } from './store.js'

/** All ports of a store as its author gives them: optional calls may be missing. */
type GivenPorts = {
  readonly [Name in keyof Store]: Name extends keyof OptionalCalls
    ? Omit<Store[Name], OptionalCalls[Name]> & Partial<Pick<Store[Name], OptionalCalls[Name]>>
    : Store[Name]
}

/** A store as its author gives it: optional ports and optional calls may be missing. */
export type GivenStore = Omit<GivenPorts, OptionalPort> & {
  readonly [Port in OptionalPort]?: GivenPorts[Port] | undefined
}

/** A store, or some ports of a store, perhaps with `ready` and `close`. */
export type StorePart = { readonly [Name in keyof Store]?: GivenPorts[Name] | undefined }

/**
 * Whether this may be `undefined`. Without `strictNullChecks` every value may be `undefined`, so a named port counts as
 * given: otherwise such a program would have no port at all.
 */
export type MayLack<Port> = undefined extends string ? false : undefined extends Port ? true : false

/** The optional ports that such a store may lack; `copyableRecords` belong to no program. */
export type MissingPort<S> = S extends GivenStore
  ? {
      [Port in OptionalPort]: Port extends keyof S ? (MayLack<S[Port]> extends true ? Port : never) : Port
    }[Exclude<OptionalPort, 'copyableRecords'>]
  : never

/** The same store with each of its ports changed, and with its own `ready` and `close`. */
export function changePorts<Given extends StorePart>(
  store: Given,
  change: <Port extends object>(port: Port, name: StorePort) => Port,
): Given {
  const ports = STORE_PORTS.flatMap((name) => {
    const port = store[name]
    return port ? [[name, change(port, name)]] : []
  })
  return {
    ...(Object.fromEntries(ports) as Given),
    ready: async () => await store.ready?.(),
    close: async () => await store.close?.(),
  }
}

/** The same port, with the fallback of each optional call that it lacks. */
export function completePort<Port extends object>(port: Port, name: StorePort): Port {
  const given = port as Readonly<Record<string, ((...args: never[]) => unknown) | undefined>>
  const calls = Object.entries<Calls[string]>(STORE_CALLS[name])
  if (!calls.some(([call, { fallback }]) => fallback && !given[call])) return port
  const complete = calls.map(([call, { fallback }]) => [
    call,
    given[call]?.bind(port) ?? fallback?.(port as never),
  ])
  return Object.fromEntries(complete) as Port
}
