import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'

/** What one process of the service has of its own, and how many share the machine and the limits with it. */
export type ProcessParts = {
  readonly log: Log
  readonly metrics: Metrics | undefined
  /** How many processes answer requests. */
  readonly workers: number
}

/** One process's share of a limit that is of all of them, at least 1. */
export function shareOf(whole: number, workers: number): number {
  return Math.max(1, Math.ceil(whole / workers))
}
