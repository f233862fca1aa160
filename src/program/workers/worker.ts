import cluster from 'node:cluster'
import { ignoreSignals } from '../signals.js'
import type { AnsweringWorker, Obeyed } from './answering-worker.js'
import type { Start, ToPrimary, ToWorker } from './messages.js'

/** Answers requests for as long as the primary process lives and wants it. */
export function runWorker(): void {
  // They may come to the whole group of processes: the primary takes them, and tells its workers.
  ignoreSignals()
  // Node would end a worker whose primary process has died in the middle of its requests: of the disconnection itself,
  // and of any word to that process before it, such as that a connection was accepted.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  cluster.worker?.on('error', () => undefined)
  let worker: Promise<AnsweringWorker> | undefined
  const hear = async (message: Obeyed) => {
    if (message.kind === 'start') worker = startWorker(message)
    await (await worker)?.obey(message)
    if (message.kind === 'stop') process.exit(0)
  }
  process.on('message', (message: ToWorker) => {
    // Also while it opens its store, for which everything else waits.
    if (message.kind === 'ping') tellPrimary({ kind: 'alive' })
    else hear(message).catch(fail)
  })
  tellPrimary({ kind: 'begun' })
  process.once('disconnect', () => {
    hear({ kind: 'stop' }).catch(fail)
  })
}

/** What is heavy is loaded when the signals are taken. */
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
