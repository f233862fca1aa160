import { secretSealLoader } from '../../composition-root/credentials.js'
import { composeUpkeep } from '../../composition-root/service.js'
import { infrastructureOf } from '../../composition-root/infrastructure.js'
import type { Settings } from '../../configuration/derived.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { OpenParts, ProcessParts } from '../process-parts.js'
import { start, type Service, type StartOptions } from '../start.js'
import { startWorkersMetering, type WorkersMetering } from './metering.js'
import type { SharedOutput } from './shared-output.js'
import { createSharedSocket, type SharedSocket } from './shared-socket.js'
import type { Supervisor } from './supervisor.js'
import type { WorkerProcess } from './worker-process.js'

/** Options for starting the service with workers. */
export type WorkersOptions = StartOptions &
  Pick<ProcessParts, 'log' | 'workers'> & {
    /** Receives the log lines of this process and its workers. */
    readonly output: SharedOutput
  }

/** How long, within SHUTDOWN_GRACE, the reader of the log may take for the remaining lines at shutdown. */
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
  readonly socket: SharedSocket
  readonly opened: OpenParts
  readonly metering: WorkersMetering | undefined
}

/** Lets the first workers handle requests once all of them are ready. A replacement starts as soon as it is ready. */
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
    // A replacement listens last, so that the other workers get all connections until the replacement handles requests.
    serve(worker)
    await socket.listen(worker)
    logReady(worker)
  })
}
