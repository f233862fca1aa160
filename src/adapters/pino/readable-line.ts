import { styleText } from 'node:util'
import type { LogFields, LogLevel } from '../../ports/log.js'
import { writtenFields } from './written-fields.js'

/** A log line before it is formatted. */
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

/** Converts the JSON lines of another process to text for a terminal, and leaves other lines unchanged. */
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
