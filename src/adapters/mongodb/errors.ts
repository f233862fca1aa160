import type { MongoServerError, MongoServerSelectionError } from 'mongodb'
import { type Refusal, transient, unavailable } from '../../domain/refusal.js'
import type * as Driver from 'mongodb'
import { notEmpty, optionalPackageError } from '../optional-package.js'

let loaded: typeof Driver | undefined

/** Loads the driver; rejects with a `missing-package` Refusal if the driver is not installed. */
export async function loadDriver(): Promise<typeof Driver> {
  try {
    const driver = await import(/* turbopackOptional: true */ 'mongodb')
    return (loaded = notEmpty('mongodb', driver, 'MongoClient'))
  } catch (error) {
    throw optionalPackageError('mongodb', error)
  }
}

/** Returns whether the error is an instance of the driver's class; always false before the driver is loaded. */
function isA<Name extends Extract<keyof typeof Driver, `Mongo${string}Error`>>(
  error: unknown,
  name: Name,
): error is InstanceType<(typeof Driver)[Name]> {
  return loaded !== undefined && error instanceof loaded[name]
}

const driverErrors = new WeakSet<object>()

/**
 * Wraps a driver object so that `isDriverError` recognizes errors from this object. Checking the class is not enough: the driver also
 * passes on parser, socket and file errors, which Kennel's own code can throw as well.
 */
export function markErrors<T extends object>(target: T, wrap: WrapCall = callDirectly): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(member, target, args) as unknown
        return callAndMark(() => wrap({ target, name, args, call }), wrap)
      }
    },
  })
}

export type DriverCall = {
  readonly target: object
  readonly name: string | symbol
  readonly args: readonly unknown[]
  readonly call: () => unknown
}

export type WrapCall = (call: DriverCall) => unknown

const callDirectly: WrapCall = ({ call }) => call()

/** Returns whether the driver threw the error; errors about invalid arguments that Kennel's code passed do not count. */
export function isDriverError(error: unknown): error is Error {
  return error instanceof Error && driverErrors.has(error) && !isA(error, 'MongoInvalidArgumentError')
}

function callAndMark(call: () => unknown, wrap: WrapCall): unknown {
  try {
    const result = call()
    if (result instanceof Promise) return result.catch(rethrow)
    return isHandle(result) ? markErrors(result, wrap) : result
  } catch (error) {
    rethrow(error)
  }
}

function isHandle(result: unknown): result is object {
  if (typeof result !== 'object' || result === null) return false
  return ['toArray', 'findOne', 'collection'].some((name) => name in result)
}

function rethrow(error: unknown): never {
  if (error instanceof Error) driverErrors.add(error)
  throw error
}

const DUPLICATE = 11_000
/** Server error code: an earlier attempt applied the write, but the server no longer knows the result. */
const INCOMPLETE_HISTORY = 217

const UNREACHABLE = new Map([
  [
    13,
    'The MongoDB user lacks a permission: give the user the readWrite role on the database in DATABASE_URL.',
  ],
  [18, 'MongoDB rejected the user name or the password in DATABASE_URL.'],
  [8000, 'MongoDB rejected the user name or the password in DATABASE_URL.'],
  [64, 'A majority of the MongoDB replica set did not confirm the write in time.'],
  [10_107, 'The MongoDB server does not accept writes: it is not the primary.'],
  [13_435, 'The MongoDB server does not accept writes: it is not the primary.'],
  [13_436, 'The MongoDB server is a secondary or is recovering.'],
  [14_031, 'The disk of the MongoDB server is full.'],
])

const REFUSED = new Set([13, 18, 8000])

/** Returns whether a unique index that begins with this field rejected a document. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  if (!isA(error, 'MongoServerError') || !isDuplicate(error)) return false
  return Object.keys((error['keyPattern'] ?? {}) as object)[0] === field
}

export function isDuplicate(error: unknown): boolean {
  return isA(error, 'MongoServerError') && error.code === DUPLICATE
}

/** Server error codes for index creation: an index with this name or these keys exists, or data violates it. */
const CONTRADICTIONS = new Set([67, 85, 86, DUPLICATE])

export function contradicts(error: unknown): boolean {
  return isA(error, 'MongoServerError') && CONTRADICTIONS.has(Number(error.code))
}

export function isOutcomeLost(error: unknown): error is MongoServerError {
  return isA(error, 'MongoServerError') && error.code === INCOMPLETE_HISTORY
}

/** Converts server, driver and network errors to an `unavailable` Refusal; returns all other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  if (isLookup(error))
    return unavailable(`The servers in DATABASE_URL cannot be looked up: ${error.message}`, error)
  if (!isDriverError(error)) return error
  const lasting = unavailable(detailOf(error), error)
  return isHopeless(lasting) ? lasting : transient(detailOf(error), error)
}

/** Returns whether this is Node's error for a failed DNS lookup of a `mongodb+srv` URL, which the driver passes on. */
function isLookup(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && /^query/.test(String(error.syscall))
}

export function isHopeless({ cause }: Refusal): boolean {
  if (!(cause instanceof Error)) return true
  const error = isA(cause, 'MongoServerSelectionError') ? (serverErrorOf(cause) ?? cause) : cause
  if (isA(error, 'MongoServerError')) return REFUSED.has(Number(error.code))
  return isA(error, 'MongoCompatibilityError') || isA(error, 'MongoMissingDependencyError')
}

function detailOf(error: Error): string {
  if (isA(error, 'MongoServerError')) return detailOfServer(error)
  if (isA(error, 'MongoCompatibilityError')) return `The MongoDB server is too old: ${error.message}`
  if (isA(error, 'MongoMissingDependencyError'))
    return `DATABASE_URL requires a package that is not installed: ${error.message}`
  if (isA(error, 'MongoServerSelectionError')) return detailOfSelection(error)
  if (isA(error, 'MongoOperationTimeoutError')) return 'The MongoDB server did not answer in time.'
  if (isA(error, 'MongoNetworkError')) return 'The connection to the MongoDB server broke.'
  return `The MongoDB driver gave up: ${nameOf(error)}.`
}

/** Returns the code of a system error instead of its message, because the message may contain a path. */
function nameOf(error: Error): string {
  return 'syscall' in error && 'code' in error ? `${String(error.syscall)} ${String(error.code)}` : error.name
}

function detailOfServer(error: MongoServerError): string {
  const code = typeof error.code === 'number' ? error.code : 0
  const known = UNREACHABLE.get(code)
  return (
    known ?? `The MongoDB server could not finish the operation: ${error.codeName ?? `code ${String(code)}`}.`
  )
}

function detailOfSelection(error: MongoServerSelectionError): string {
  const cause = serverErrorOf(error)
  if (isA(cause, 'MongoCompatibilityError') || error.message.includes('wire version')) {
    return `The MongoDB server is too old: ${error.message}`
  }
  if (isA(cause, 'MongoServerError')) return detailOfServer(cause)
  return `No MongoDB server that accepts writes can be reached: ${cause?.message ?? error.message}`
}

function serverErrorOf({ reason }: MongoServerSelectionError): Error | undefined {
  return [...(reason?.servers.values() ?? [])].find((server) => server.error)?.error ?? undefined
}
