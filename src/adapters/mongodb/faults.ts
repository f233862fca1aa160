import {
  MongoCompatibilityError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb'
import { isRefusal, type Refusal, unavailable } from '../../domain/refusal.js'

const DUPLICATE = 11_000

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

/** Interrupted, shutting down, stepping down, cut off: the driver's own list of what passes. */
const PASSING = new Set([6, 7, 50, 89, 91, 100, 112, 134, 189, 202, 262, 317, 358, 9001, 11_600, 11_602])

/** True where a unique index refused a document; `field` is the first of that index. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  if (!(error instanceof MongoServerError) || !isDuplicate(error)) return false
  return Object.keys((error['keyPattern'] ?? {}) as object)[0] === field
}

/** True where any unique index refused a document. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE
}

/** A Refusal `unavailable` where the server cannot be used; any other fault as it came. */
export function asRefusal(error: unknown): unknown {
  if (isLookup(error)) return unavailable(`The servers of DATABASE_URL are unknown: ${error.message}`, error)
  if (isRefusal(error) || !(error instanceof MongoError)) return error
  const detail = detailOf(error)
  return detail === undefined ? error : unavailable(detail, error)
}

/** The names behind `mongodb+srv` are looked up by Node itself, and its faults come as they are. */
function isLookup(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && /^query/.test(String(error.syscall))
}

/** True where waiting helps nobody: only who operates the service or the server can mend the fault. */
export function isHopeless({ cause }: Refusal): boolean {
  if (!(cause instanceof Error)) return true
  const fault = cause instanceof MongoServerSelectionError ? (faultOfServers(cause) ?? cause) : cause
  return fault instanceof MongoServerError
    ? REFUSED.has(Number(fault.code))
    : fault instanceof MongoCompatibilityError
}

function detailOf(error: MongoError): string | undefined {
  if (error instanceof MongoInvalidArgumentError) return undefined
  if (error instanceof MongoServerError) return detailOfServer(error)
  if (error instanceof MongoCompatibilityError) return `The MongoDB server is too old: ${error.message}`
  if (error instanceof MongoServerSelectionError) return detailOfSelection(error)
  if (error instanceof MongoOperationTimeoutError) return 'The MongoDB server did not answer in time.'
  if (error instanceof MongoNetworkError) return 'The connection to the MongoDB server broke.'
  return `The MongoDB driver gave up: ${error.name}.`
}

function detailOfServer(error: MongoServerError): string | undefined {
  const code = typeof error.code === 'number' ? error.code : 0
  const known = UNREACHABLE.get(code)
  if (known !== undefined) return known
  const passes = PASSING.has(code) || error.hasErrorLabel('RetryableWriteError')
  return passes ? `The MongoDB server could not finish: ${error.codeName ?? String(code)}.` : undefined
}

/** Its message names the hosts that were tried, never the user or the password. */
function detailOfSelection(error: MongoServerSelectionError): string {
  const cause = faultOfServers(error)
  if (cause instanceof MongoCompatibilityError || error.message.includes('wire version')) {
    return `The MongoDB server is too old: ${error.message}`
  }
  if (cause instanceof MongoServerError) return detailOfServer(cause) ?? cause.message
  return `No MongoDB server that takes writes can be reached: ${cause?.message ?? error.message}`
}

/** What the first of the servers that were tried said, where one did. */
function faultOfServers({ reason }: MongoServerSelectionError): Error | undefined {
  return [...(reason?.servers.values() ?? [])].find((server) => server.error)?.error ?? undefined
}
