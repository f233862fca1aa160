import type { Milliseconds } from '../../domain/instant.js'
import type { Log } from '../../ports/log.js'
import type { WorkerProcess } from './worker-process.js'

/** The conditions under which a worker is considered hung. */
export type Watch = {
  /** The interval at which a worker is asked for a sign of life. */
  readonly interval: Milliseconds
  /** How long a worker may stay silent before it is considered hung. */
  readonly silence: Milliseconds
}

export const WATCH: Watch = { interval: 5_000, silence: 30_000 }

/**
 * Kills an unresponsive worker, unless the service is stopping. Counts the primary's timer ticks instead of elapsed time,
 * because even a long suspension of the machine or the process group causes only one tick.
 */
export function killIfHung(
  worker: Pick<WorkerProcess, 'number' | 'pid' | 'tell' | 'on' | 'ended' | 'kill'>,
  { interval, silence }: Watch,
  log: Log,
  stopping: AbortSignal,
): void {
  let silentTicks = 0
  const timer = setInterval(() => {
    if (stopping.aborted) return
    silentTicks += 1
    if (silentTicks * interval < silence) {
      worker.tell({ kind: 'ping' })
      return
    }
    clearInterval(timer)
    const detail = `pid ${worker.pid} has not responded for ${silence / 1_000} s`
    log.error('worker hangs', { worker: worker.number, detail })
    worker.kill()
  }, interval).unref()
  worker.on('alive', () => {
    silentTicks = 0
  })
  void worker.ended.then(() => clearInterval(timer))
}
