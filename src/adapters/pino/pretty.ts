import { createRequire } from 'node:module'
import type PinoPretty from 'pino-pretty'

/**
 * Makes a JSON line readable. Loaded only where somebody looks on: it costs more than pino
 * itself. As a function rather than a stream, since a stream would still hold lines when the
 * process ends.
 */
export function loadPretty(): (line: string) => string {
  const load = createRequire(import.meta.url)
  const { prettyFactory } = load('pino-pretty') as typeof PinoPretty
  return prettyFactory({ messageKey: 'event', translateTime: 'HH:MM:ss.l', colorize: process.stdout.isTTY })
}
