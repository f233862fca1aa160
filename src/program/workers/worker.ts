import cluster from 'node:cluster'
import { ignoreSignals } from '../signals.js'
import type { AnsweringWorker, Obeyed } from './answering-worker.js'
import type { Start, ToPrimary, ToWorker } from './messages.js'

/** Answers requests until the primary process ends or stops it. */
export function runWorker(): void {
  // Signals may come to the whole group of processes: the primary takes them, and tells its workers.
  ignoreSignals()
  // Node would end a worker in the middle of its requests after its primary process has died: at the disconnection, and at
  // any message to that process before it, such as that a connection was accepted.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  cluster.worker?.on('error', () => undefined)
  let worker: Promise<AnsweringWorker> | undefined
  const hear = async (message: Obeyed) => {
    if (message.kind === 'start') worker = startWorker(message)
    await (await worker)?.obey(message)
    if (message.kind === 'stop') process.exit(0)
  }
  process.on('message', (message: ToWorker) => {
    // Also while it opens its store and the other messages wait.
    if (message.kind === 'ping') tellPrimary({ kind: 'alive' })
    else hear(message).catch(fail)
  })
  tellPrimary({ kind: 'begun' })
  process.once('disconnect', () => {
    hear({ kind: 'stop' }).catch(fail)
  })
}

/** Loads heavy modules after the signals are taken. */
async function startWorker(start: Start): Promise<AnsweringWorker> {
  const { createAnsweringWorker } = await import('./answering-worker.js')
  return await createAnsweringWorker(start, tellPrimary)
}

function tellPrimary(message: ToPrimary, onTold?: () => void): void {
  if (process.connected) process.send?.(message, undefined, undefined, onTold)
  else onTold?.()
}

async function fail(error: unknown): Promise<void> {
  const { failureOf } = await import('../start-error.js')
  tellPrimary({ kind: 'failed', ...failureOf(error) }, () => process.exit(1))
}
