import { suggestionFor } from '../../domain/suggestions.js'
import { isOptionalPort } from '../../ports/store.js'
import { isPromise, promised } from './promised.js'
import type { PortShape } from './shape.js'
import { STORE_SHAPES } from './store-shapes.js'

type JsonObject = Readonly<Record<string, unknown>>

/** What a store of the caller's own lacks, each in a sentence that names the port and its function. */
export function storeErrors(store: JsonObject): string[] {
  return [
    ...Object.entries<PortShape>(STORE_SHAPES).flatMap(([name, shape]) =>
      store[name] === undefined
        ? absence(name, shape, store)
        : objectErrors(`store.${name}`, store[name], shape),
    ),
    ...missing('store', store, { port: 'Store', names: ['ready', 'close'] }),
  ]
}

/** A port that may be absent is missed where it seems to be there by a misspelt name: what needs it would be gone in silence. */
function absence(name: string, { port }: PortShape, store: JsonObject): string[] {
  if (!isOptionalPort(name)) return [`store has no ${name} (port ${port})`]
  const isMeant = (other: string) =>
    suggestionFor(other, [name]) !== undefined && typeof store[other] === 'object' && store[other] !== null
  return Object.keys(store)
    .filter(isMeant)
    .map((other) => `store.${other} is no port of a store; did you mean ${name}?`)
}

/** The same of one port or part. */
export function objectErrors(place: string, part: unknown, { port, functions }: PortShape): string[] {
  if (isPromise(part)) return [promised(place)]
  if (typeof part !== 'object' || part === null) return [`${place} is no object (port ${port})`]
  return missing(place, part as JsonObject, { port, names: Object.keys(functions) })
}

type Wanted = { readonly port: string; readonly names: readonly string[] }

function missing(place: string, part: JsonObject, { port, names }: Wanted): string[] {
  return names
    .filter((name) => typeof part[name] !== 'function')
    .map((name) => `${place} has no ${name} (port ${port})`)
}
