// Sends the audit records of workers to the primary process, which writes them.
import type { AuditKeeper } from '../../adapters/pino/log.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { ToPrimary, ToWorker } from './messages.js'
import type { SharedOutput } from './shared-output.js'
import type { WorkerProcess } from './worker-process.js'

/** How long a worker waits for the primary; longer than the primary waits for the log reader. */
const TIMEOUT: Milliseconds = 2_000

/** Relays a worker's audit records to the primary, because only the primary knows whether the log reader accepts them. */
export type AuditRelay = AuditKeeper & {
  /** Handles a reply from the primary. */
  readonly hear: (answer: Extract<ToWorker, { kind: 'audited' }>) => void
}

export function createAuditRelay(tell: (message: ToPrimary) => void, timeout = TIMEOUT): AuditRelay {
  const waiting = new Map<number, (isKept: boolean) => void>()
  let requests = 0
  const ask = async (line?: string) => {
    const request = (requests += 1)
    const answer = new Promise<boolean>((resolve) => waiting.set(request, resolve))
    const late = setTimeout(() => waiting.get(request)?.(false), timeout)
    tell({ kind: 'audit', request, line })
    const isKept = await answer
    clearTimeout(late)
    waiting.delete(request)
    return isKept
  }
  return {
    keep: ask,
    isKeeping: () => ask(),
    hear: ({ request, isKept }) => waiting.get(request)?.(isKept),
  }
}

/** Writes a worker's audit records, and reports to the worker whether they were written. */
export function keepAuditOf(worker: Pick<WorkerProcess, 'on' | 'tell'>, output: SharedOutput): void {
  worker.on('audit', ({ request, line }) => {
    const kept = line === undefined ? Promise.resolve(output.isKeeping()) : output.keepOf(line)
    void kept.then((isKept) => worker.tell({ kind: 'audited', request, isKept }))
  })
}
