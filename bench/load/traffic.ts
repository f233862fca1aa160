import { createHistogram } from 'node:perf_hooks'

/** The completed requests of one round. Latencies in milliseconds. */
export type Traffic = {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** The traffic through a server, and the CPU time of each request, which other load on the machine barely affects. */
export type ServerTraffic = Traffic & { readonly cpuMicroseconds: number }

const MICROSECONDS = 1000

/**
 * Counts operations and measures their durations, together with the CPU time of this process. The time runs from this call to the last
 * record.
 */
export function createStopwatch() {
  const latencies = createHistogram()
  const begin = performance.now()
  const before = process.cpuUsage()
  let end = begin
  return {
    record: (milliseconds: number) => {
      end = performance.now()
      latencies.record(Math.max(1, Math.round(milliseconds * MICROSECONDS)))
    },
    read: (): ServerTraffic => {
      const { user, system } = process.cpuUsage(before)
      return {
        count: latencies.count,
        perSecond: latencies.count / ((end - begin) / 1000),
        p50: latencies.percentile(50) / MICROSECONDS,
        p99: latencies.percentile(99) / MICROSECONDS,
        cpuMicroseconds: (user + system) / latencies.count,
      }
    },
  }
}
