import { droppedLines } from '../../adapters/pino/dropped-lines.js'
import type { ProcessNumbers } from '../../adapters/prometheus/process-numbers.js'
import type { WorkersMetrics } from '../../adapters/prometheus/workers-metrics.js'
import type { Settings } from '../../configuration/derived.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { Log } from '../../ports/log.js'
import { serveMetrics, type Metering } from '../listening.js'
import type { WorkerProcess } from './worker-process.js'

/** The metrics of all processes at one address. */
export type WorkersMetering = Metering & {
  /** Adds this worker's counts, which are kept after the worker ends. */
  take(worker: WorkerProcess): void
}

/** How long a scrape waits for an unresponsive worker. */
const TIMEOUT: Milliseconds = 1_000
/** The interval at which workers are asked for their counts; if a worker is killed, its counts since the last interval are lost. */
const INTERVAL: Milliseconds = 5_000

/** Serves the metrics of this process and its workers; resolves with `undefined` if no port is set. */
export async function startWorkersMetering(
  { metricsHost: host, metricsPort: port }: Settings,
  workers: number,
  log: Log,
): Promise<WorkersMetering | undefined> {
  if (port === undefined) return undefined
  const [{ createCollectedMetrics }, { createWorkersMetrics }] = await Promise.all([
    import('../../adapters/prometheus/prometheus-metrics.js'),
    import('../../adapters/prometheus/workers-metrics.js'),
  ])
  const own = createCollectedMetrics({ droppedLines })
  const all = createWorkersMetrics({ wanted: workers, own, timeout: TIMEOUT })
  const server = await serveMetrics({ host, port }, all.exposition, log)
  const timer = setInterval(() => void all.refresh(), INTERVAL).unref()
  return {
    metrics: own.metrics,
    take: (worker) => takeInto(all, worker),
    close: async () => {
      clearInterval(timer)
      await server.close()
    },
  }
}

type PendingScrape = {
  readonly resolve: (numbers: ProcessNumbers) => void
  readonly reject: (error: Error) => void
}

/** Registers one listener for all of a worker's replies. */
function takeInto(all: WorkersMetrics, worker: WorkerProcess): void {
  const waiting = new Map<number, PendingScrape>()
  let requests = 0
  const end = all.begun(worker.number, ({ ofProcess }) => {
    const request = (requests += 1)
    return new Promise((resolve, reject) => {
      waiting.set(request, { resolve, reject })
      worker.tell({ kind: 'metrics', request, ofProcess })
    })
  })
  worker.on('metrics', ({ request, numbers }) => {
    waiting.get(request)?.resolve(numbers)
    waiting.delete(request)
  })
  void worker.ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the worker has ended'))
    end()
  })
}
