import { suggestionFor } from '../../domain/messages.js'
import { portOf, type Calls } from '../../ports/calls/call.js'
import { PART_CALLS } from '../../ports/calls/parts.js'
import { STORE_CALLS, STORE_PORTS } from '../../ports/calls/store.js'
import { OPTIONAL_PORTS } from '../../ports/store.js'

type JsonObject = Readonly<Record<string, unknown>>

/** Checks the shape of a custom store and returns the errors found, as sentences that name the port and the call. */
export function storeErrors(store: JsonObject): string[] {
  return [
    ...STORE_PORTS.flatMap((name) => {
      if (store[name] !== undefined)
        return objectErrors(`store.${name}`, store[name], portOf(name), STORE_CALLS[name])
      const isOptional = OPTIONAL_PORTS.some((one) => one === name)
      return isOptional ? misspeltPort(name, store) : [`store has no ${name} (port ${portOf(name)})`]
    }),
    ...missing('store', store, 'Store', ['ready', 'close']),
  ]
}

/** Without this check, a misspelled port name would only disable the use cases of the port. */
function misspeltPort(name: string, store: JsonObject): string[] {
  const isMeant = (other: string) =>
    suggestionFor(other, [name]) !== undefined && typeof store[other] === 'object' && store[other] !== null
  return Object.keys(store)
    .filter(isMeant)
    .map((other) => `store.${other} is not a port of a store; did you mean ${name}?`)
}

export function partErrors(parts: JsonObject): string[] {
  return Object.entries<Calls>(PART_CALLS).flatMap(([name, calls]) => {
    const part = parts[name]
    const errorsOf = (place: string, one: unknown) => objectErrors(place, one, portOf(name), calls)
    if (part === undefined) return []
    if ('' in calls) return functionErrors(name, part)
    if (name !== 'auditSinks') return errorsOf(`parts.${name}`, part)
    if (!Array.isArray(part)) return ['parts.auditSinks is not an array']
    return part.flatMap((sink: unknown, at) => errorsOf(`parts.auditSinks[${at}]`, sink))
  })
}

function functionErrors(name: string, part: unknown): string[] {
  if (typeof part !== 'function') return [`parts.${name} is not a function (port ${portOf(name)})`]
  return name === 'clock' ? clockErrors(part as () => unknown) : []
}

/** Calls the clock to check it, because reading a clock has no side effects. */
function clockErrors(clock: () => unknown): string[] {
  const time = () => {
    try {
      return clock()
    } catch {
      return undefined
    }
  }
  return Number.isFinite(time())
    ? []
    : ['parts.clock breaks its contract: it must return a number (port Clock)']
}

function objectErrors(place: string, part: unknown, port: string, calls: Calls): string[] {
  if (isPromise(part)) return [promiseError(place)]
  if (typeof part !== 'object' || part === null) return [`${place} is not an object (port ${port})`]
  const members = part as JsonObject
  const needed = Object.keys(calls).filter((name) => !calls[name]?.fallback || members[name] !== undefined)
  return missing(place, members, port, needed)
}

function missing(place: string, part: JsonObject, port: string, names: readonly string[]): string[] {
  return names
    .filter((name) => typeof part[name] !== 'function')
    .map((name) => `${place} has no ${name} (port ${port})`)
}

/** Returns whether the value is a promise (any object with a method `then`), such as a store that was not awaited. */
export function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  try {
    return 'then' in value && typeof value.then === 'function'
  } catch {
    return false
  }
}

export function promiseError(place: string): string {
  return `${place} is a promise: await it first`
}
