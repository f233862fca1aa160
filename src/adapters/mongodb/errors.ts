import type { MongoServerError, MongoServerSelectionError } from 'mongodb'
import { type Refusal, transient, unavailable } from '../../domain/refusal.js'
import { isDriverError } from './driver-errors.js'
import { isA } from './driver.js'

const DUPLICATE = 11_000
/** The answer to a write that was applied before and whose result the server does not have any more. */
const HISTORY_GONE = 217

/** What the server's codes mean to an operator, where trying again later may help. */
const UNREACHABLE = new Map([
  [13, 'The MongoDB user may not do what the service needs: it needs readWrite on its database.'],
  [18, 'MongoDB refused the user name or the password of DATABASE_URL.'],
  [8000, 'MongoDB refused the user name or the password of DATABASE_URL.'],
  [64, 'A majority of the MongoDB replica set did not confirm the write in time.'],
  [10_107, 'The MongoDB server does not take writes: it is not the primary.'],
  [13_435, 'The MongoDB server does not take writes: it is not the primary.'],
  [13_436, 'The MongoDB server is a secondary or is recovering.'],
  [14_031, 'The disk of the MongoDB server is full.'],
])

/** No server will think better of these by itself. */
const REFUSED = new Set([13, 18, 8000])

/** True where a unique index refused a document; `field` is the first of that index. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  if (!isA(error, 'MongoServerError') || !isDuplicate(error)) return false
  return Object.keys((error['keyPattern'] ?? {}) as object)[0] === field
}

/** True where any unique index refused a document. */
export function isDuplicate(error: unknown): boolean {
  return isA(error, 'MongoServerError') && error.code === DUPLICATE
}

/** Of an index that was to be made: there is another one of its name or keys, or data that it cannot hold. */
const CONTRADICTIONS = new Set([67, 85, 86, DUPLICATE])

/** True where an index could not be made because of what is there. */
export function contradicts(error: unknown): boolean {
  return isA(error, 'MongoServerError') && CONTRADICTIONS.has(Number(error.code))
}

/** True where a write was applied by a first attempt and the second one could not be told what came of it. */
export function isOutcomeLost(error: unknown): error is MongoServerError {
  return isA(error, 'MongoServerError') && error.code === HISTORY_GONE
}

/**
 * A Refusal `unavailable` for every error of the server, the driver and the network, also one that no list of ours
 * knows: the caller can only try again, and the log has the cause. An error of our own code stays as it came.
 */
export function asRefusal(error: unknown): unknown {
  if (isLookup(error)) return unavailable(`The servers of DATABASE_URL are unknown: ${error.message}`, error)
  if (!isDriverError(error)) return error
  const lasting = unavailable(detailOf(error), error)
  return isHopeless(lasting) ? lasting : transient(detailOf(error), error)
}

/** The names behind `mongodb+srv` are looked up by Node itself, and its errors come as they are. */
function isLookup(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && /^query/.test(String(error.syscall))
}

/** True where waiting does not help: only an operator of the service or the server can correct it. */
export function isHopeless({ cause }: Refusal): boolean {
  if (!(cause instanceof Error)) return true
  const error = isA(cause, 'MongoServerSelectionError') ? (serverErrorOf(cause) ?? cause) : cause
  if (isA(error, 'MongoServerError')) return REFUSED.has(Number(error.code))
  return isA(error, 'MongoCompatibilityError') || isA(error, 'MongoMissingDependencyError')
}

function detailOf(error: Error): string {
  if (isA(error, 'MongoServerError')) return detailOfServer(error)
  if (isA(error, 'MongoCompatibilityError')) return `The MongoDB server is too old: ${error.message}`
  if (isA(error, 'MongoMissingDependencyError')) return `DATABASE_URL needs a package: ${error.message}`
  if (isA(error, 'MongoServerSelectionError')) return detailOfSelection(error)
  if (isA(error, 'MongoOperationTimeoutError')) return 'The MongoDB server did not answer in time.'
  if (isA(error, 'MongoNetworkError')) return 'The connection to the MongoDB server broke.'
  return `The MongoDB driver gave up: ${nameOf(error)}.`
}

/** Of an error of the system (a file that the URL names, a socket) its code says more; the message may hold a path. */
function nameOf(error: Error): string {
  return 'syscall' in error && 'code' in error ? `${String(error.syscall)} ${String(error.code)}` : error.name
}

function detailOfServer(error: MongoServerError): string {
  const code = typeof error.code === 'number' ? error.code : 0
  const known = UNREACHABLE.get(code)
  return known ?? `The MongoDB server could not finish: ${error.codeName ?? `code ${String(code)}`}.`
}

/** Its message names the hosts that were tried, never the user or the password. */
function detailOfSelection(error: MongoServerSelectionError): string {
  const cause = serverErrorOf(error)
  if (isA(cause, 'MongoCompatibilityError') || error.message.includes('wire version')) {
    return `The MongoDB server is too old: ${error.message}`
  }
  if (isA(cause, 'MongoServerError')) return detailOfServer(cause)
  return `No MongoDB server that takes writes can be reached: ${cause?.message ?? error.message}`
}

/** What the first of the servers that were tried said, where one did. */
function serverErrorOf({ reason }: MongoServerSelectionError): Error | undefined {
  return [...(reason?.servers.values() ?? [])].find((server) => server.error)?.error ?? undefined
}
