import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../configuration/opened-file.js'
import type { Milliseconds } from '../../domain/instant.js'
import { createNotice } from '../../adapters/koa/server/connections.js'
import type { Log, LogFields } from '../../ports/log.js'
import type { Start } from './protocol.js'
import { forkWorker, unexpectedError, type Ending, type WorkerProcess } from './worker-process.js'

export type Pauses = {
  /** The initial delay, which doubles each time a worker dies. */
  readonly first: Milliseconds
  readonly most: Milliseconds
  /** If a worker has lived at least this long, the next delay is reset to `first`. */
  readonly longLife: Milliseconds
}

export const PAUSES: Pauses = { first: 100, most: 30_000, longLife: 60_000 }

/** How long, after the grace period, a worker may take to close its store. */
const CLOSING_TIME: Milliseconds = 1_000

export type SupervisorOptions = {
  readonly workers: number
  readonly startOf: (worker: number) => Start
  readonly pauses: Pauses
  readonly watch: Watch
  readonly log: Log
  readonly onFork: (worker: WorkerProcess) => void
}

export type Supervisor = ReturnType<typeof createSupervisor>

/** Starts the workers of a service and, after `keepAlive`, keeps them running. */
export function createSupervisor(options: SupervisorOptions) {
  const { workers, startOf, pauses, watch, log, onFork } = options
  const alive = new Set<WorkerProcess>()
  const stopping = new AbortController()

  function fork(number: number): WorkerProcess {
    const notice = createNotice((count) =>
      log.error('connections not accepted', { worker: number, detail: 'no free file descriptor', count }),
    )
    const worker = forkWorker(startOf(number), notice)
    alive.add(worker)
    void worker.ended.then(() => alive.delete(worker))
    onFork(worker)
    return worker
  }

  /** Resolves with the worker that replaces the dead one; rejects if the service is stopping. */
  async function replacementOf(
    worker: WorkerProcess,
    ending: Ending,
    wait: Milliseconds,
  ): Promise<WorkerProcess> {
    log.error('worker died', deathOf(worker, ending, `; started again in ${wait} ms`))
    await pause(wait, undefined, { signal: stopping.signal })
    try {
      return fork(worker.number)
    } catch (error) {
      // Node throws if memory runs out.
      const how = `cannot start a process (${codeOf(error)})`
      return await replacementOf(worker, { how, sentences: [] }, Math.min(2 * wait, pauses.most))
    }
  }

  async function keepOneAlive(first: WorkerProcess, bringUp: (worker: WorkerProcess) => Promise<void>) {
    let wait = pauses.first
    for (let worker = first, begun = performance.now(); ; begun = performance.now()) {
      killIfHung(worker, watch, log, stopping.signal)
      const ending = await worker.ended
      stopping.signal.throwIfAborted()
      if (performance.now() - begun >= pauses.longLife) wait = pauses.first
      worker = await replacementOf(worker, ending, wait)
      wait = Math.min(2 * wait, pauses.most)
      // Ignores the error, because the worker then exits and this loop logs its end.
      bringUp(worker).catch(() => undefined)
    }
  }

  const others = Array.from({ length: workers - 1 }, (_, index) => index + 2)
  const first = [fork(1), ...others.map(fork)] as const
  return {
    first,
    alive: () => [...alive],
    /** From this call on, replaces each worker that dies and kills each worker that hangs; `bringUp` makes a worker handle requests. */
    keepAlive: (bringUp: (worker: WorkerProcess) => Promise<void>): void => {
      for (const worker of first) keepOneAlive(worker, bringUp).catch(unlessAborted)
    },
    /** Drains all workers, and kills workers that have not ended in time. */
    stop: async (grace: Milliseconds): Promise<void> => {
      stopping.abort()
      await Promise.all([...alive].map((worker) => stopOne(worker, grace, log)))
    },
    kill: (): void => {
      stopping.abort()
      for (const worker of alive) worker.kill()
    },
  }
}

async function stopOne(worker: WorkerProcess, grace: Milliseconds, log: Log): Promise<void> {
  worker.tell({ kind: 'stop' })
  const late = setTimeout(() => {
    const detail = `pid ${worker.pid} has not ended within SHUTDOWN_GRACE`
    log.warn('worker killed', { worker: worker.number, detail })
    worker.kill()
  }, grace + CLOSING_TIME)
  const ending = await worker.ended
  clearTimeout(late)
  if (isFailed(ending)) log.error('worker died', deathOf(worker, ending))
}

/** Whether the worker ended because of an error, and was neither killed nor told to stop. */
function isFailed({ sentences, stack }: Ending): boolean {
  return sentences.length > 0 || stack !== undefined
}

function deathOf({ number, pid }: WorkerProcess, ending: Ending, next = ''): LogFields {
  const error = unexpectedError(ending)
  const detail = [`pid ${pid}`, ending.how, ...ending.sentences].join(', ')
  return { worker: number, detail: `${detail}${next}`, ...(error && { error }) }
}

function unlessAborted(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}

/** When a worker is considered hung. */
type Watch = {
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
