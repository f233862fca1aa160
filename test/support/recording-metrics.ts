import { PART_CALLS } from '../../src/ports/calls/parts.js'
import type { Metrics } from '../../src/ports/metrics.js'

/** Every recorded call in order, with its arguments. */
export type Told = readonly [call: string, ...args: unknown[]]

/** Metrics that keep all their calls. */
export function recordingMetrics() {
  const told: Told[] = []
  const calls = Object.keys(PART_CALLS.metrics).map((name) => [
    name,
    (...args: unknown[]) => {
      told.push([name, ...args])
    },
  ])
  return { metrics: Object.fromEntries(calls) as Metrics, told }
}
