import { styleText } from 'node:util'
import type { LogFields, LogLevel } from '../../ports/log.js'
import { isRefusal } from '../../domain/refusal.js'

export type Line = {
  readonly at: number
  readonly level: LogLevel
  readonly event: string
  readonly fields: LogFields | undefined
}

let writtenAt = 0
let written = ''

/** Formats a time as ISO 8601 with milliseconds. The text is cached because many lines have the same time. */
export function isoTime(now: number): string {
  if (now !== writtenAt) {
    writtenAt = now
    written = new Date(now).toISOString()
  }
  return written
}

const COLOURS = { debug: 'blue', info: 'green', warn: 'yellow', error: 'red' } as const

/** Formats a log line as text for a terminal: a request on one line, and any other event with one field per line. */
export function asText({ at, level, event, fields }: Line): string {
  return readable({ time: isoTime(at), level, event, fields: writtenFields(fields) })
}

export function readableFrom(lines: string): string {
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => readableJson(line) ?? `${line}\n`)
    .join('')
}

function readableJson(line: string): string | undefined {
  try {
    const { time, level, event, ...fields } = JSON.parse(line) as LineStart &
      Readonly<Record<string, unknown>>
    return level in COLOURS ? readable({ time, level, event, fields }) : undefined
  } catch {
    return undefined
  }
}

type LineStart = { readonly time: string; readonly level: LogLevel; readonly event: string }

function readable({
  time,
  level,
  event,
  fields,
}: LineStart & { readonly fields: Readonly<Record<string, unknown>> }): string {
  const { method, route, status, durationMs, error, ...others } = fields
  const isRequest = event === 'request' || event === 'request aborted'
  const took = durationMs === undefined ? undefined : `${JSON.stringify(durationMs)} ms`
  const message = isRequest ? [event, method, route, status, took].filter(Boolean).join(' ') : event
  const head = `[${time.slice(11, -1)}] ${styled(COLOURS[level], level.toUpperCase())}: ${styled('cyan', message)}`
  return `${head}${isRequest ? onOneLine(others) : onLines({ method, route, status, durationMs, ...others })}${onLines({ error })}\n`
}

function onOneLine(fields: object): string {
  const json = JSON.stringify(fields)
  return json === '{}' ? '' : ` ${json}`
}

/** `JSON.stringify` escapes characters that move the cursor or begin a new line. */
function onLines(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${styled('magenta', name)}: ${JSON.stringify(value, null, 2)}`)
    .map((text) => `\n${text}`.replaceAll('\n', '\n    '))
    .join('')
}

function styled(colour: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY ? styleText(colour, text) : text
}

const TEXT_MAX = 1_000

/** Keeps only known fields of the right type; the resulting objects all have the same shape, which is faster to serialize. */
export function writtenFields(fields: LogFields = {}) {
  return {
    requestId: text(fields.requestId),
    method: text(fields.method),
    route: text(fields.route),
    status: number(fields.status),
    durationMs: number(fields.durationMs),
    accountId: number(fields.accountId),
    apiKeyId: number(fields.apiKeyId),
    sessionId: text(fields.sessionId),
    address: text(fields.address),
    count: number(fields.count),
    worker: number(fields.worker),
    audit: audit(fields.audit),
    detail: text(fields.detail),
    // Any value can be thrown, even `undefined`.
    error: 'error' in fields ? writtenError(fields.error) : undefined,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : undefined
}

function audit(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { event, actor, subject, outcome, count } = value as Record<string, unknown>
  return {
    event: text(event),
    actor: text(actor),
    subject: text(subject),
    outcome: text(outcome),
    count: number(count),
  }
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

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
export function writtenError(error: unknown, causes = CAUSES_MAX): WrittenError {
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
    ...(cause !== undefined && { cause: writtenError(cause, causes - 1) }),
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
