import type { Watch } from './law.js'
import type { KennelParts } from '../options.js'
import { AUDIT_SINK, CLOCK, HASHER, LOG, MAILER, MAIL_TEMPLATES, METRICS, RANDOMNESS } from './part-laws.js'
import { isPromise, promised } from '../promised.js'
import { STORE_LAWS } from './store-laws.js'

type Shape = Pick<Watch<object>, 'port' | 'laws'>
type JsonObject = Readonly<Record<string, unknown>>

const OBJECTS: { readonly [Name in keyof KennelParts]?: Shape } = {
  randomness: RANDOMNESS,
  hasher: HASHER,
  mailer: MAILER,
  mailTemplates: MAIL_TEMPLATES,
  log: LOG,
  metrics: METRICS,
}
export const PART_NAMES: readonly string[] = ['clock', 'auditSinks', ...Object.keys(OBJECTS)]

/** What the parts lack, each in a sentence that names the part, the function and the port. */
export function partErrors(parts: JsonObject): string[] {
  return [
    ...(parts['clock'] === undefined ? [] : clockFaults(parts['clock'])),
    ...Object.entries(OBJECTS).flatMap(([name, shape]) =>
      parts[name] === undefined ? [] : shapeErrors(`parts.${name}`, parts[name], shape),
    ),
    ...(parts['auditSinks'] === undefined ? [] : sinkErrors(parts['auditSinks'])),
  ]
}

/** The same of a store of the caller's own. */
export function storeErrors(store: JsonObject): string[] {
  return [
    ...Object.entries<Shape>(STORE_LAWS).flatMap(([name, shape]) =>
      store[name] === undefined
        ? [`store has no ${name} (port ${shape.port})`]
        : shapeErrors(`store.${name}`, store[name], shape),
    ),
    ...['ready', 'close'].flatMap((name) => functionErrors('store', store, { name, port: 'Store' })),
  ]
}

function clockFaults(clock: unknown): string[] {
  if (typeof clock !== 'function') return ['parts.clock is no function (port Clock)']
  return CLOCK.holds(timeOf(clock as () => unknown), [])
    ? []
    : [`parts.clock breaks its law: it must answer ${CLOCK.law} (port Clock)`]
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
  return sinks.flatMap((sink: unknown, index) => shapeErrors(`parts.auditSinks[${index}]`, sink, AUDIT_SINK))
}

function shapeErrors(place: string, part: unknown, { port, laws }: Shape): string[] {
  if (isPromise(part)) return [promised(place)]
  if (typeof part !== 'object' || part === null) return [`${place} is no object (port ${port})`]
  return Object.keys(laws).flatMap((name) => functionErrors(place, part as JsonObject, { name, port }))
}

function functionErrors(
  place: string,
  part: JsonObject,
  { name, port }: { readonly name: string; readonly port: string },
): string[] {
  return typeof part[name] === 'function' ? [] : [`${place} has no ${name} (port ${port})`]
}
