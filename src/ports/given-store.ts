import type { Calls } from './calls/call.js'
import { STORE_CALLS, STORE_PORTS, type OptionalCalls } from './calls/store.js'
import type { OptionalPort, Store, StorePort } from './store.js'

/** All ports of a custom store; a port may lack its optional methods. */
type GivenPorts = {
  readonly [Name in keyof Store]: Name extends keyof OptionalCalls
    ? Omit<Store[Name], OptionalCalls[Name]> &
        Partial<Pick<Store[Name], OptionalCalls[Name] & keyof Store[Name]>>
    : Store[Name]
}

/** A custom store; optional ports and optional calls may be missing. */
export type GivenStore = Omit<GivenPorts, OptionalPort> & {
  readonly [Port in OptionalPort]?: GivenPorts[Port] | undefined
}

/** Some or all ports of a store, with or without `ready` and `close`. */
export type StorePart = { readonly [Name in keyof Store]?: GivenPorts[Name] | undefined }

/**
 * Resolves to `true` if the type includes `undefined`. Always `false` without `strictNullChecks`, because every type would then include
 * `undefined` and every port would count as missing.
 */
export type MayLack<Port> = undefined extends string ? false : undefined extends Port ? true : false

/** The optional ports that a store of this type may lack, except `copyableRecords`, which no use case needs. */
export type MissingPort<S> = S extends GivenStore
  ? {
      [Port in OptionalPort]: Port extends keyof S ? (MayLack<S[Port]> extends true ? Port : never) : Port
    }[Exclude<OptionalPort, 'copyableRecords'>]
  : never

/** Returns the store with each port replaced by the result of `change`; `ready` and `close` stay unchanged. */
export function changePorts<Part extends StorePart>(
  store: Part,
  change: <Port extends object>(port: Port, name: StorePort) => Port,
): Part {
  const ports = STORE_PORTS.flatMap((name) => {
    const port = store[name]
    return port ? [[name, change(port, name)]] : []
  })
  return {
    ...(Object.fromEntries(ports) as Part),
    ready: async () => await store.ready?.(),
    close: async () => await store.close?.(),
  }
}

/** Adds a fallback for each optional method that is missing. */
export function completePort<Port extends object>(port: Port, name: StorePort): Port {
  const members = port as Readonly<Record<string, ((...args: never[]) => unknown) | undefined>>
  const calls = Object.entries<Calls[string]>(STORE_CALLS[name])
  if (!calls.some(([call, { fallback }]) => fallback && !members[call])) return port
  const complete = calls.map(([call, { fallback }]) => [
    call,
    members[call]?.bind(port) ?? fallback?.(port as never),
  ])
  return Object.fromEntries(complete) as Port
}
