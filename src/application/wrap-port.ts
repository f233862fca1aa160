import { changePorts, type StorePart } from '../ports/given-store.js'
import { STORE_CALLS } from '../ports/calls/store.js'
import type { StorePort } from '../ports/store.js'

export type PortFunction = (...args: unknown[]) => unknown

/**
 * A port whose calls return their results synchronously. The calls of in-memory stores are synchronous: they cannot be interrupted, so
 * every call is atomic without a lock.
 */
export type SyncPort<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never
}

const STORE_CALL_NAMES = [...new Set(Object.values(STORE_CALLS).flatMap((calls) => Object.keys(calls)))]

/**
 * Returns a port with only the named calls, each wrapped by `wrap`. `wrap` runs once per name, not per call. The port may be a class
 * instance.
 */
export function wrapPort<Port extends object>(
  port: Port,
  wrap: (call: PortFunction, name: string) => PortFunction,
  names: readonly string[] = STORE_CALL_NAMES,
): Port {
  const members = port as Readonly<Record<string, unknown>>
  const wrapped = names.flatMap((name) => {
    const call = members[name]
    return typeof call === 'function' ? [[name, wrap(call.bind(port) as PortFunction, name)]] : []
  })
  return Object.fromEntries(wrapped) as Port
}

/** Returns whether the error is a `PartError`: a custom part's result breaks a law of its port. The error is already logged. */
export function isBrokenPart(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'broken-part'
}

/** Returns the same store, with each call of each port wrapped by `wrap`. */
export function wrapStore<Part extends StorePart>(
  store: Part,
  wrap: (call: PortFunction, name: string, port: StorePort) => PortFunction,
): Part {
  return changePorts(store, (port, place) =>
    wrapPort(port, (call, name) => wrap(call, name, place), Object.keys(STORE_CALLS[place])),
  )
}
