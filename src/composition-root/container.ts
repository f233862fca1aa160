import 'reflect-metadata'
import { Container } from 'inversify'
import { missingFor, type Row, type Table } from '../application/table.js'

/**
 * Creates the parts listed in two tables from the parts that are passed in. Each part is created once, when it is first read. A part that
 * is passed in replaces the part with the same name in the tables. The parts are created synchronously, because all connections are already
 * open. Missing parts and parts of the wrong type cause compile errors. Omits parts whose ports the store lacks. If `refuse` is given,
 * these parts are present instead, but reading one calls `refuse`.
 */
export function compose<GivenParts extends object, Own, Created>(
  givenParts: GivenParts & Partial<NoInfer<Own>>,
  own: Table<NoInfer<GivenParts>, Own>,
  table: Table<NoInfer<GivenParts & Own>, Created>,
  refuse?: (missing: readonly string[]) => never,
): Own & Created {
  const rows = { ...own.rows, ...table.rows }
  const isGiven = (name: string) => Object.hasOwn(givenParts, name)
  const container = new Container()
  for (const [name, part] of Object.entries(givenParts)) container.bind(name).toConstantValue(part)
  const made = {}
  for (const [name, row] of Object.entries(rows)) {
    const missing = missingFor(name, rows, isGiven)
    if (missing.length === 0 && !isGiven(name)) bindRow(container, name, row)
    if (missing.length > 0 && !refuse) continue
    const get = () => {
      if (missing.length > 0) refuse?.(missing)
      return container.get(name)
    }
    Object.defineProperty(made, name, { get, enumerable: true })
  }
  return made as Own & Created
}

/** The factory gets `undefined` for an optional part that is missing, or that cannot be created. */
function bindRow(container: Container, name: string, { factory, parts, renamed = {} }: Row): void {
  const names = [...parts, ...Object.keys(renamed)]
  const sources = [...parts, ...Object.values(renamed)]
  const needed = sources.map((serviceIdentifier) => ({ serviceIdentifier, optional: true }))
  const build = (...values: readonly unknown[]) =>
    factory(Object.fromEntries(names.map((part, index) => [part, values[index]])) as never)
  container
    .bind(name)
    .toResolvedValue(build, needed as never)
    .inSingletonScope()
}
