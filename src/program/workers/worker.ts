import cluster from 'node:cluster'
import { END_SIGNALS, onLevelSignal } from '../../adapters/oclif/signals.js'
import type { Start, ToPrimary, ToWorker } from './protocol.js'
import type { Command, WorkerService } from './worker-service.js'

/** Handles requests until the primary process ends or stops this worker. */
export function runWorker(): void {
  // Signals may reach the whole process group, and the primary handles them for its workers.
  for (const signal of END_SIGNALS) process.on(signal, () => undefined)
  onLevelSignal(() => undefined)
  // By default, a worker exits soon after its primary process dies, even in the middle of a request. It exits when the channel disconnects
  // or when it sends a message, for example about an accepted connection. The next two lines prevent this.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  cluster.worker?.on('error', () => undefined)
  let service: Promise<WorkerService> | undefined
  const hear = async (message: Command) => {
    if (message.kind === 'start') service = createService(message)
    await (await service)?.handle(message)
    if (message.kind === 'stop') process.exit(0)
  }
  process.on('message', (message: ToWorker) => {
    // A ping is answered even while the store is opening and other messages wait.
    if (message.kind === 'ping') tellPrimary({ kind: 'alive' })
    else hear(message).catch(fail)
  })
  tellPrimary({ kind: 'begun' })
  process.once('disconnect', () => {
    hear({ kind: 'stop' }).catch(fail)
  })
}

/** Loads heavy modules after the signal handlers are installed. */
async function createService(start: Start): Promise<WorkerService> {
  const { createWorkerService } = await import('./worker-service.js')
  return await createWorkerService(start, tellPrimary)
}

function tellPrimary(message: ToPrimary, onSent?: () => void): void {
  if (process.connected) process.send?.(message, undefined, undefined, onSent)
  else onSent?.()
}

async function fail(error: unknown): Promise<void> {
  const { failureOf } = await import('../start-error.js')
  tellPrimary({ kind: 'failed', ...failureOf(error) }, () => process.exit(1))
}
