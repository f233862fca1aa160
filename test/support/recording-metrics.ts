import { PART_CALLS } from '../../src/ports/calls/parts.js'
import type { Metrics } from '../../src/ports/metrics.js'

export type Told = readonly [call: string, ...args: unknown[]]

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
