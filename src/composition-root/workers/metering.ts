import type { WorkersMetrics } from '../../adapters/prometheus/workers-metrics.js'
import type { Configuration } from '../../configuration/configuration.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { Log } from '../../ports/log.js'
import { serveMetrics, type Metering } from '../listening.js'
import type { WorkerProcess } from './worker-process.js'

/** Metrics of all processes, which can be scraped in one place. */
export type WorkersMetering = Metering & {
  /** From now on the numbers of this worker are among them, and what it has counted stays when it ends. */
  take(worker: WorkerProcess): void
}

/** How long a scrape waits for a worker that does not answer. */
const TIMEOUT: Milliseconds = 1_000
/** How often workers are asked what they have counted: a worker that is killed takes along what came after. */
const INTERVAL: Milliseconds = 5_000

/** Serves the metrics of this process and of its workers; `undefined` where no port is set for them. */
export async function startWorkersMetering(
  { metrics: wanted }: Configuration,
  workers: number,
  log: Log,
): Promise<WorkersMetering | undefined> {
  if (!wanted) return undefined
  const [{ createCollectedMetrics }, { createWorkersMetrics }] = await Promise.all([
    import('../../adapters/prometheus/prometheus-metrics.js'),
    import('../../adapters/prometheus/workers-metrics.js'),
  ])
  const own = createCollectedMetrics()
  const all = createWorkersMetrics({ wanted: workers, own, timeout: TIMEOUT })
  const server = await serveMetrics(wanted, all.exposition, log)
  const timer = setInterval(() => void all.refresh(), INTERVAL).unref()
  return {
    metrics: own.metrics,
    take: (worker) => {
      takeInto(all, worker)
    },
    close: async () => {
      clearInterval(timer)
      await server.close()
    },
  }
}

function takeInto(all: WorkersMetrics, worker: WorkerProcess): void {
  let requests = 0
  const end = all.begun(worker.number, async ({ ofProcess }) => {
    const request = (requests += 1)
    const { numbers } = await worker.ask(
      { kind: 'metrics', request, ofProcess },
      'metrics',
      (reply) => reply.request === request,
    )
    return numbers
  })
  void worker.ended.then(end)
}
