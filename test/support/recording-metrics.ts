import type { Metrics } from '../../src/ports/metrics.js'

/** Every recorded call in order, with its arguments. */
export type Told = readonly [call: string, ...args: unknown[]]

const CALLS: { readonly [Name in keyof Metrics]: true } = {
  requestAnswered: true,
  loginTried: true,
  refreshTried: true,
  sessionOpened: true,
  sessionsEnded: true,
  hashesWaiting: true,
  hashComputed: true,
  hashRefused: true,
  connectionClosed: true,
  storeCalled: true,
}

/** Metrics that keep all their calls. */
export function recordingMetrics() {
  const told: Told[] = []
  const calls = Object.keys(CALLS).map((name) => [
    name,
    (...args: unknown[]) => {
      told.push([name, ...args])
    },
  ])
  return { metrics: Object.fromEntries(calls) as Metrics, told }
}
