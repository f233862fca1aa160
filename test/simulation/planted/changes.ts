import type { Rows } from '../../../src/application/table.js'
import type { Store, StorePort } from '../../../src/ports/store.js'
import { ROWS, type Bug, type Parts } from '../instance.js'
import type { ThemeName } from '../themes.js'

export type PlantedBugs = Readonly<Record<string, Bug>>

/** Restricts the search for these bugs to one theme. */
export const inTheme = (theme: ThemeName, bugs: PlantedBugs): PlantedBugs =>
  Object.fromEntries(Object.entries(bugs).map(([name, bug]) => [name, { ...bug, theme }]))

/** A port's methods, declared as functions that do not need `this`. */
export type Bound<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Answer
    : never
}

/** Creates replacements for a port's methods. A replacement may call the correct methods of all ports. */
export type Change<Name extends StorePort> = (
  port: Bound<NonNullable<Store[Name]>>,
  all: Store,
) => Partial<Store[Name]>

/** A store bug: replaces methods of a port. Each replacement is still atomic. */
export function inStore<Name extends StorePort>(port: Name, change: Change<Name>): Bug {
  return { store: (store) => changed(store, port, change) }
}

/** A bug in the use cases: they make different port calls, or several calls instead of one. */
export function inUseCases<Name extends StorePort>(port: Name, change: Change<Name>): Bug {
  return { parts: (parts) => changed(parts as Parts & Store, port, change) }
}

/** A bug planted in the parts that are passed to a use case or to another part. */
export function withParts(name: string, change: (parts: never) => object): Bug {
  const row = ROWS[name]
  const factory = (parts: never) => row?.factory({ ...(parts as object), ...change(parts) } as never)
  return { rows: { [name]: { ...row, factory } as Rows[string] } }
}

function changed<Ports extends Store, Name extends StorePort>(
  ports: Ports,
  name: Name,
  change: Change<Name>,
): Ports {
  const port = ports[name] as Bound<NonNullable<Store[Name]>>
  return { ...ports, [name]: { ...port, ...change(port, ports) } }
}
