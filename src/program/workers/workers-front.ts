import { secretSealLoader } from '../../composition-root/credentials.js'
import { composeUpkeep } from '../../composition-root/service.js'
import { infrastructureOf } from '../../composition-root/infrastructure.js'
import type { Settings } from '../../configuration/derived.js'
import type { Milliseconds } from '../../domain/instant.js'
import { type OpenParts, type ProcessParts, serveMetrics, type Metering } from '../process-parts.js'
import { start, type Service, type StartOptions } from '../start.js'
import type { SharedOutput } from './shared-output.js'
import type { Supervisor } from './supervisor.js'
import type { WorkerProcess } from './worker-process.js'
import { localOrigin } from '../../configuration/web.js'
import { droppedLines } from '../../adapters/pino/dropped-lines.js'
import type { ProcessNumbers } from '../../adapters/prometheus/process-numbers.js'
import type { WorkersMetrics } from '../../adapters/prometheus/workers-metrics.js'
import type { Log } from '../../ports/log.js'

/**
 * Creates the socket that all workers share; Node's primary process accepts its connections and distributes them. Workers start listening
 * one by one: if two workers try an unavailable address, Node's primary process throws when it replies to the second worker. If the
 * configured port is 0, every worker requests port 0, but all workers that listen at the same time share one port. When no worker is left,
 * the next workers request the port that was assigned before, because clients know that port.
 */
function createSharedSocket(port: number) {
  const listening = new Set<WorkerProcess>()
  let wanted = port
  let found = port
  let turn: Promise<unknown> = Promise.resolve()

  async function listen(worker: WorkerProcess): Promise<string> {
    const { host, port: bound } = await worker.ask({ kind: 'listen', port: wanted }, 'listening')
    found = bound
    listening.add(worker)
    void worker.ended.then(() => {
      listening.delete(worker)
      if (listening.size === 0) wanted = found
    })
    return localOrigin(host, bound)
  }

  return {
    /** Makes a worker listen, and resolves with the origin, such as `http://127.0.0.1:3000`. */
    listen: (worker: WorkerProcess): Promise<string> => {
      const address = turn.then(() => listen(worker))
      turn = address.catch(() => undefined)
      return address
    },
  }
}

export type WorkersOptions = StartOptions &
  Pick<ProcessParts, 'log' | 'workers'> & {
    readonly output: SharedOutput
  }

/** How long the log reader may take at shutdown to process the remaining lines; this time is part of SHUTDOWN_GRACE. */
const FLUSH_TIME: Milliseconds = 5_000

/** Starts the service, whose requests this supervisor's workers handle. */
export async function startWithWorkers(
  settings: Settings,
  supervisor: Supervisor,
  { workers, log, output, ...options }: WorkersOptions,
): Promise<Service> {
  const metering = await startWorkersMetering(settings, workers, log)
  for (const worker of supervisor.first) metering?.take(worker)
  const socket = createSharedSocket(settings.port)
  const address = await socket.listen(supervisor.first[0])
  const parts = { log, metrics: metering?.metrics, workers }
  const { shutdownGrace: grace } = settings
  let end = 0
  const front = {
    ...{ ...parts, address, metering },
    compose: async (opened: OpenParts) => ({
      ...upkeepOf(settings, opened, parts),
      serve: () => serveAll(supervisor, { socket, opened, metering, log }),
    }),
    drain: async () => {
      end = performance.now() + grace
      await supervisor.stop(grace)
    },
    flush: () => output.flushed(Math.max(0, Math.min(FLUSH_TIME, Math.ceil(end - performance.now())))),
  }
  return await start(settings, front, options)
}

function upkeepOf(settings: Settings, { store, mail, passphrase }: OpenParts, parts: ProcessParts) {
  const { copyableRecords } = store
  const infrastructure = { ...infrastructureOf(settings, { store, ...parts }), auditBatched: true }
  const loadSecretSeal = secretSealLoader(settings, () => passphrase)
  return composeUpkeep(
    { ...infrastructure, loadSecretSeal, ...(copyableRecords && { copyableRecords }) },
    mail,
  )
}

type FrontParts = Pick<ProcessParts, 'log'> & {
  readonly socket: ReturnType<typeof createSharedSocket>
  readonly opened: OpenParts
  readonly metering: WorkersMetering | undefined
}

/** Lets the first workers handle requests once all of them are ready. A replacement handles requests as soon as it is ready. */
async function serveAll(
  supervisor: Supervisor,
  { socket, opened, metering, log }: FrontParts,
): Promise<void> {
  const { first } = supervisor
  const { publicUrl, passphrase, onMailQueued } = opened
  const open = (worker: WorkerProcess) => worker.ask({ kind: 'open', publicUrl, passphrase }, 'opened')
  const serve = (worker: WorkerProcess) => {
    worker.on('mail-queued', onMailQueued)
    worker.tell({ kind: 'serve' })
  }
  const logReady = ({ number: worker, pid }: WorkerProcess) =>
    log.info('worker ready', { worker, detail: `pid ${pid}` })
  await Promise.all(first.map(open))
  await Promise.all(first.slice(1).map((worker) => socket.listen(worker)))
  first.forEach(serve)
  first.forEach(logReady)
  supervisor.keepAlive(async (worker) => {
    metering?.take(worker)
    await open(worker)
    // A replacement worker starts to listen last, so that the other workers get all connections until it can handle requests.
    serve(worker)
    await socket.listen(worker)
    logReady(worker)
  })
}

/** The metrics of all processes at one address. */
export type WorkersMetering = Metering & {
  take(worker: WorkerProcess): void
}

const SCRAPE_TIMEOUT: Milliseconds = 1_000
/** The interval at which workers are asked for their counts; if a worker is killed, its counts since the last interval are lost. */
const SCRAPE_INTERVAL: Milliseconds = 5_000

/** Serves the metrics of this process and its workers; resolves with `undefined` if no port is set. */
async function startWorkersMetering(
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
  const all = createWorkersMetrics({ wanted: workers, own, timeout: SCRAPE_TIMEOUT })
  const server = await serveMetrics({ host, port }, all.exposition, log)
  const timer = setInterval(() => void all.refresh(), SCRAPE_INTERVAL).unref()
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
