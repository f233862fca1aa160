import type { MongoServerError, MongoServerSelectionError } from 'mongodb'
import { type Refusal, transient, unavailable } from '../../domain/refusal.js'
import { isDriverError } from './driver-errors.js'
import { isA } from './driver.js'

const DUPLICATE = 11_000
/** Server error code: an earlier attempt applied the write, but the server no longer knows the result. */
const INCOMPLETE_HISTORY = 217

/** Explanations of server error codes for operators. */
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

/** Server error codes for which a retry does not help. */
const REFUSED = new Set([13, 18, 8000])

/** Returns whether a unique index that begins with this field rejected a document. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  if (!isA(error, 'MongoServerError') || !isDuplicate(error)) return false
  return Object.keys((error['keyPattern'] ?? {}) as object)[0] === field
}

export function isDuplicate(error: unknown): boolean {
  return isA(error, 'MongoServerError') && error.code === DUPLICATE
}

/**
 * Server error codes for index creation that fails because an index with this name or these keys exists, or because data violates the
 * index.
 */
const CONTRADICTIONS = new Set([67, 85, 86, DUPLICATE])

/** Returns whether existing indexes or data prevented the creation of an index. */
export function contradicts(error: unknown): boolean {
  return isA(error, 'MongoServerError') && CONTRADICTIONS.has(Number(error.code))
}

/** Returns whether an earlier attempt applied the write but its result is unknown. */
export function isOutcomeLost(error: unknown): error is MongoServerError {
  return isA(error, 'MongoServerError') && error.code === INCOMPLETE_HISTORY
}

/**
 * Converts server, driver and network errors to an `unavailable` Refusal, because the caller can only retry; returns all other errors
 * unchanged.
 */
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

/** Returns whether only an operator can correct the error. */
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
