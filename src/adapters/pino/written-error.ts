import { isRefusal } from '../../domain/refusal.js'

/** The properties of an error that a log line contains. */
export type WrittenError = {
  readonly name: string
  readonly code?: string | number
  readonly message?: string
  readonly syscall?: string
  readonly stack?: readonly string[]
  readonly cause?: WrittenError
}

const CAUSES_MAX = 5
const FRAMES_MAX = 20

const NAME = /^[A-Za-z$_][\w$]{0,63}$/
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/
const SYSCALL = /^[a-z_]{1,32}$/
const FRAME = /^ {4}at .*(?:\d:\d+\)?|\(<anonymous>\)|\(native\)|index \d+\))$/

/**
 * Messages of the JavaScript engine that quote no data, only source code. Other messages repeat input, for example "Cannot use 'in'
 * operator to search for … in …" or "Received '…'", and are omitted.
 */
const SAFE_MESSAGES = [
  /^Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '[\w$#-]{1,64}'\)$/,
  /^[\w$.#]{1,100}(?:\(\.\.\.\))?(?:\.[\w$.#]{1,100})? is not (?:a function|a constructor|iterable|defined)$/,
  /^Maximum call stack size exceeded$/,
  /^Invalid (?:URL|time value|string length|array length|typed array length)$/,
] as const

/**
 * Returns the names, codes, stack frames and causes of an error. The result contains the message only if it is known not to repeat any
 * input; it never contains other properties, because drivers put queries and values in them.
 */
export function writtenError(error: unknown): WrittenError {
  return describeError(error, CAUSES_MAX)
}

function describeError(error: unknown, causes: number): WrittenError {
  try {
    return error instanceof Error ? parts(error, causes) : { name: `thrown ${typeof error}` }
  } catch {
    return { name: 'unreadable error' }
  }
}

function parts(error: Error, causes: number): WrittenError {
  const message = safeMessage(error)
  const code = memberOf(error, 'code')
  const syscall = memberOf(error, 'syscall')
  const cause = causes > 0 ? error.cause : undefined
  return {
    name: NAME.test(error.name) ? error.name : 'Error',
    ...(isCode(error, code) && { code }),
    ...(message !== undefined && { message }),
    ...(typeof syscall === 'string' && SYSCALL.test(syscall) && { syscall }),
    stack: frames(error),
    ...(cause !== undefined && { cause: describeError(cause, causes - 1) }),
  }
}

function memberOf(error: Error, name: string): unknown {
  return (error as unknown as Readonly<Record<string, unknown>>)[name]
}

function isCode(error: Error, code: unknown): code is string | number {
  if (typeof code === 'number') return Number.isSafeInteger(code)
  return typeof code === 'string' && (isRefusal(error) || CODE.test(code))
}

function safeMessage(error: Error): string | undefined {
  if (isRefusal(error)) return error.detail
  // SQLite's messages contain names of tables and columns but no values, and Kennel's statements contain no values.
  if (memberOf(error, 'code') === 'ERR_SQLITE_ERROR') return error.message
  return SAFE_MESSAGES.some((safe) => safe.test(error.message)) ? error.message : undefined
}

/** Returns the stack frames, which follow the message in the `stack` property. */
function frames(error: Error): string[] {
  const stack = typeof error.stack === 'string' ? error.stack : ''
  const at = error.message === '' ? -1 : stack.indexOf(error.message)
  const places = at < 0 ? stack : stack.slice(at + error.message.length)
  return places
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim().slice('at '.length))
}
