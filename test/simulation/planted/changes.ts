import type { Store, StorePort } from '../../../src/ports/store.js'
import type { Bug, Parts } from '../instance.js'

export type PlantedBugs = Readonly<Record<string, Bug>>

/** A port whose methods can be used without the port object. */
export type Bound<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Answer
    : never
}

/** Replacements for calls of a port, made from the correct calls of this port and of the other ports. */
export type Change<Name extends StorePort> = (
  port: Bound<NonNullable<Store[Name]>>,
  all: Store,
) => Partial<Store[Name]>

/** A bug in the store: replaced calls of a port, each of which is still atomic. */
export function inStore<Name extends StorePort>(port: Name, change: Change<Name>): Bug {
  return { store: (store) => changed(store, port, change) }
}

/** A bug in the use cases: they make different calls to a port, or several calls instead of a single call. */
export function inUseCases<Name extends StorePort>(port: Name, change: Change<Name>): Bug {
  return { parts: (parts) => changed(parts as Parts & Store, port, change) }
}

function changed<Ports extends Store, Name extends StorePort>(
  ports: Ports,
  name: Name,
  change: Change<Name>,
): Ports {
  const port = ports[name] as Bound<NonNullable<Store[Name]>>
  return { ...ports, [name]: { ...port, ...change(port, ports) } }
}
