import { PART_CALLS } from '../ports/calls/parts.js'
import type { Log, LogLevel } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import { wrapPort, type PortFunction } from './wrap-port.js'

/**
 * Wraps a custom log, so that an error of the log never fails the work that is logged. After an error, the line goes to `fallback`, together
 * with a line about the error. Also catches the rejection of an asynchronous log, which would end the process.
 */
export function guardedLog(log: Log, fallback: Log): Log {
  const write =
    (level: LogLevel): Log['info'] =>
    (event, fields) => {
      const failed = (error: unknown) => {
        fallback.error('a custom log failed', { error })
        fallback[level](event, fields)
      }
      try {
        const written = (log[level].bind(log) as PortFunction)(event, fields)
        if (written instanceof Promise) written.catch(failed)
      } catch (error) {
        failed(error)
      }
    }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    enabled: (level) => {
      try {
        return log.enabled(level)
      } catch {
        return fallback.enabled(level)
      }
    },
  }
}

/** Wraps custom metrics, so that their errors never fail the work that is counted; logs each error. */
export function guardedMetrics(metrics: Metrics, log: Log): Metrics {
  const guard =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      try {
        return call(...args)
      } catch (error) {
        log.error('metrics failed', { error })
        return undefined
      }
    }
  return wrapPort(metrics, guard, Object.keys(PART_CALLS.metrics))
}
