import { STORE_PORTS, type StorePart, type StorePort } from './store.js'

/** A function of a port, whatever it takes and gives. */
export type PortFunction = (...args: unknown[]) => unknown

/** Makes the function that stands in the place of this one, which is bound to its port, so that it can be called alone. */
export type Around<Name extends string = string> = (call: PortFunction, name: Name) => PortFunction

/**
 * A port whose functions answer at once. A store in memory is written in this form on purpose: what cannot wait cannot
 * be interrupted, so every call is atomic without a lock. `wrapPort` makes the port of it.
 */
export type SyncPort<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never
}

/**
 * The same port, each function of which is what `around` makes of it. That happens once, here: a call costs what the
 * new function costs. The port may be an object of a class; what is no function is left out, and so is what is not in
 * `names`. A port that answers at once has become one that promises if `around` makes every function asynchronous.
 */
export function wrapPort<Port extends object>(
  port: Port | SyncPort<Port>,
  around: Around<keyof Port & string>,
  names: readonly string[] = namesOf(port),
): Port {
  const members = port as Readonly<Record<string, unknown>>
  const wrapped = names.flatMap((name) => {
    const call = members[name]
    const isFunction = typeof call === 'function'
    return isFunction ? [[name, around(call.bind(port) as PortFunction, name as keyof Port & string)]] : []
  })
  return Object.fromEntries(wrapped) as Port
}

/** The same store, each port of which is what `around` makes of it; `ready` and `close` are its own. */
export function wrapStore<Given extends StorePart>(
  store: Given,
  around: <Port extends object>(port: Port, name: StorePort) => Port,
): Given {
  const ports = STORE_PORTS.flatMap((name) => {
    const port = store[name]
    return port ? [[name, around(port, name)]] : []
  })
  return {
    ...(Object.fromEntries(ports) as Given),
    ready: async () => await store.ready?.(),
    close: async () => await store.close?.(),
  }
}

/** Also those of its class, and of the class above that. */
function namesOf(port: object): string[] {
  const names = new Set<string>()
  for (let level: object | null = port; level && level !== Object.prototype; level = parentOf(level))
    for (const name of Object.getOwnPropertyNames(level)) names.add(name)
  names.delete('constructor')
  return [...names]
}

function parentOf(level: object): object | null {
  return Object.getPrototypeOf(level) as object | null
}
