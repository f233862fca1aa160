import { isPromise, promised } from '../promised.js'
import { PART_SHAPES } from './part-shapes.js'
import type { PortShape } from './shape.js'
import { STORE_SHAPES } from './store-shapes.js'

type JsonObject = Readonly<Record<string, unknown>>

export const PART_NAMES: readonly string[] = Object.keys(PART_SHAPES)

/** What the parts lack, each in a sentence that names the part, the function and the port. */
export function partErrors(parts: JsonObject): string[] {
  return Object.entries<PortShape>(PART_SHAPES).flatMap(([name, shape]) => {
    const part = parts[name]
    if (part === undefined) return []
    if (name === 'clock') return clockErrors(part)
    return name === 'auditSinks' ? sinkErrors(part) : objectErrors(`parts.${name}`, part, shape)
  })
}

/** The same of a store of the caller's own. */
export function storeErrors(store: JsonObject): string[] {
  return [
    ...Object.entries<PortShape>(STORE_SHAPES).flatMap(([name, shape]) =>
      store[name] === undefined
        ? [`store has no ${name} (port ${shape.port})`]
        : objectErrors(`store.${name}`, store[name], shape),
    ),
    ...missing('store', store, { port: 'Store', names: ['ready', 'close'] }),
  ]
}

/** A clock can be asked at once: to read it changes nothing. */
function clockErrors(clock: unknown): string[] {
  if (typeof clock !== 'function') return ['parts.clock is no function (port Clock)']
  const { law, shape } = PART_SHAPES.clock.functions['']
  return shape(timeOf(clock as () => unknown), '', []) === undefined
    ? []
    : [`parts.clock breaks its law: it must answer ${law} (port Clock)`]
}

function timeOf(clock: () => unknown): unknown {
  try {
    return clock()
  } catch {
    return undefined
  }
}

function sinkErrors(sinks: unknown): string[] {
  if (!Array.isArray(sinks)) return ['parts.auditSinks is no array']
  return sinks.flatMap((sink: unknown, index) =>
    objectErrors(`parts.auditSinks[${index}]`, sink, PART_SHAPES.auditSinks),
  )
}

function objectErrors(place: string, part: unknown, { port, functions }: PortShape): string[] {
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
