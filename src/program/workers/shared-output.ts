import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { standardOutput, type Output } from '../../adapters/pino/output.js'
import { readableFrom } from '../../adapters/pino/written-line.js'
// Sends the audit records of workers to the primary process, which writes them.
import type { AuditKeeper } from '../../adapters/pino/log.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { ToPrimary, ToWorker } from './protocol.js'
import type { WorkerProcess } from './worker-process.js'

/** The standard output for several processes; only this process writes their lines. */
export type SharedOutput = Output & {
  /**
   * Passes on the complete lines of another process until that process ends; resolves when the last line has been handed over. A slow reader
   * of the output never blocks the process that writes these lines. `onCut` receives the beginning of a line that was never completed.
   */
  passOn(lines: NodeJS.ReadableStream, onCut: (beginning: string) => void): Promise<void>
  /** Like `keep`, but for a JSON line from another process. */
  keepOf(line: string): Promise<boolean>
}

export type SharedOutputOptions = {
  /** Makes JSON lines readable for developers. */
  readonly pretty: boolean
  readonly destination?: Output
}

/** `flushed` also waits until the other processes have ended. */
export function createSharedOutput({
  pretty,
  destination = standardOutput(1),
}: SharedOutputOptions): SharedOutput {
  const passing = new Set<Promise<void>>()
  const pass = async (...[lines, onCut]: Parameters<SharedOutput['passOn']>) => {
    try {
      await pipeline(lines, wholeLines(pretty, onCut), intoOutput(destination))
    } catch {
      // A killed process sends no further bytes.
    }
  }
  return {
    write: (lines) => destination.write(lines),
    onResumed: (hear) => destination.onResumed(hear),
    keep: async (line) => await destination.keep(line),
    keepOf: async (line) => await destination.keep(pretty ? readableFrom(line) : line),
    isKeeping: () => destination.isKeeping(),
    passOn: async (...source) => {
      const passed = pass(...source)
      passing.add(passed)
      await passed
      passing.delete(passed)
    },
    flushed: async (timeout) => {
      const written = Promise.all(passing).then(() => destination.flushed(timeout))
      await Promise.race([written, pause(timeout, undefined, { ref: false })])
    },
  }
}

/** A stream that writes everything to the output. */
export function intoOutput(output: Output): Writable {
  return new Writable({
    write(lines: Buffer, _encoding, done) {
      output.write(lines)
      done()
    },
  })
}

const LINE_END = 0x0a

/** Emits complete lines in large chunks, because passing on bytes without parsing them costs almost nothing. */
function wholeLines(pretty: boolean, onCut: (beginning: string) => void): Transform {
  let begun: Buffer[] = []
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const end = piece.lastIndexOf(LINE_END) + 1
      if (end > 0) {
        const last = piece.subarray(0, end)
        const lines = begun.length > 0 ? Buffer.concat([...begun, last]) : last
        this.push(pretty ? readableFrom(String(lines)) : lines)
        begun = []
      }
      if (end < piece.length) begun.push(piece.subarray(end))
      done()
    },
    flush(done) {
      if (begun.length > 0) onCut(String(Buffer.concat(begun)))
      done()
    },
  })
}

/** How long a worker waits for the primary; longer than the primary waits for the log reader. */
const TIMEOUT: Milliseconds = 2_000

/** Relays a worker's audit records to the primary, because only the primary knows whether the log reader accepts them. */
export type AuditRelay = AuditKeeper & {
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
