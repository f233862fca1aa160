import { createHistogram } from 'node:perf_hooks'

/** The completed requests of one round. Latencies in milliseconds. */
export type Traffic = {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const MICROSECONDS = 1000

/** Counts operations and their durations. The time runs from now to the last record. */
export function createStopwatch() {
  const latencies = createHistogram()
  const begin = performance.now()
  let end = begin
  return {
    record: (milliseconds: number) => {
      end = performance.now()
      latencies.record(Math.max(1, Math.round(milliseconds * MICROSECONDS)))
    },
    read: (): Traffic => ({
      count: latencies.count,
      perSecond: latencies.count / ((end - begin) / 1000),
      p50: latencies.percentile(50) / MICROSECONDS,
      p99: latencies.percentile(99) / MICROSECONDS,
    }),
  }
}

/** The same for operations of this process, with its CPU time for each. */
export function createLoopStopwatch() {
  const { record, read } = createStopwatch()
  const before = process.cpuUsage()
  return {
    record,
    read: () => {
      const { user, system } = process.cpuUsage(before)
      const traffic = read()
      return { ...traffic, cpuMicroseconds: (user + system) / traffic.count }
    },
  }
}
