import { createRequire } from 'node:module'
import type PinoPretty from 'pino-pretty'

/** One line of the terminal for each request; what else is known of it follows in braces. */
const REQUEST = '{event} {method} {route} {if status}{status} {end}{if durationMs}{durationMs} ms{end}'
const IS_REQUEST = /"event":"request(?: aborted)?"\}\n$/

/**
 * Makes a JSON line readable. Loaded only for a terminal: it costs more than pino
 * itself. As a function rather than a stream, since a stream would still hold lines when the
 * process ends.
 */
export function loadPretty(): (line: string) => string {
  const load = createRequire(import.meta.url)
  const { prettyFactory } = load('pino-pretty') as typeof PinoPretty
  const options = { messageKey: 'event', translateTime: 'HH:MM:ss.l', colorize: process.stdout.isTTY }
  const any = prettyFactory(options)
  const ignore = 'method,route,status,durationMs'
  const request = prettyFactory({ ...options, singleLine: true, messageFormat: REQUEST, ignore })
  return (line) => (IS_REQUEST.test(line) ? request(line) : any(line))
}
