import { Socket } from 'node:net'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import type { Milliseconds } from '../../domain/instant.js'
import { createLineWriter, type LineSink } from './line-writer.js'
import { readableFrom } from './readable-line.js'

/** Standard output that several processes write their lines to, through the one that has it. */
export type SharedOutput = LineSink & {
  /**
   * Passes on the whole lines of another process, none torn, until it ends; resolves when the last one is handed over.
   * While the reader of the output is slow no more is taken, so that the other process has to wait. `onCut` is told of
   * the beginning of a line whose end never came.
   */
  passOn(lines: NodeJS.ReadableStream, onCut: (beginning: string) => void): Promise<void>
  /** Resolves when the other processes have ended and all is written, or that time is over. */
  flushed(timeout: Milliseconds): Promise<void>
}

export type SharedOutputOptions = {
  /** Makes JSON lines readable for the eyes of a developer. */
  readonly pretty: boolean
  /** Standard output by default. */
  readonly destination?: Writable
}

/** Bytes of this process's own lines that wait at most for a slow reader; what comes then is lost. */
const WAITING_MAX = 1024 * 1024

/**
 * One writer for several processes, which neither waits nor ends where a line cannot be written: a slow reader of a pipe
 * makes the other processes wait, one that went away ends the writing, and a full disk costs lines.
 */
export function createSharedOutput({
  pretty,
  destination = unfailing(1),
}: SharedOutputOptions): SharedOutput {
  // Each process has listeners of its own.
  destination.setMaxListeners(0)
  const passing = new Set<Promise<void>>()
  const pass = async (...[lines, onCut]: Parameters<SharedOutput['passOn']>) => {
    try {
      await pipeline(lines, wholeLines(pretty, onCut), destination, { end: false })
    } catch {
      // Of a process that was killed no more can be read.
    }
  }
  return {
    write: (line) => {
      if (destination.writableLength < WAITING_MAX) destination.write(line)
    },
    passOn: async (...source) => {
      const passed = pass(...source)
      passing.add(passed)
      await passed
      passing.delete(passed)
    },
    flushed: async (timeout) => {
      const written = Promise.all(passing).then(
        () => new Promise((resolve) => destination.write('', resolve)),
      )
      const late = new Promise((resolve) => {
        AbortSignal.timeout(timeout).addEventListener('abort', resolve)
      })
      await Promise.race([written, late])
    },
  }
}

const LINE_END = 0x0a

/** As few pieces as can be, each of whole lines: what is not looked into costs next to nothing. */
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

/** Standard error, as it can be written to by several processes through this one: it never fails, read or not. */
export function standardError(): Writable {
  // Each process has listeners of its own.
  return unfailing(2).setMaxListeners(0)
}

/**
 * A pipe is written to as fast as it is read, without waiting. Files and terminals take what they are given at once.
 * Either never fails, so that what is piped into it goes on.
 */
function unfailing(descriptor: 1 | 2): Writable {
  const stream: Writable = descriptor === 1 ? process.stdout : process.stderr
  return stream instanceof Socket && !isatty(descriptor) ? throughPipe(stream) : throughWriter(descriptor)
}

function throughPipe(pipe: Socket): Writable {
  let isGone = false
  // In the place of listeners that throw: the service outlives the reader of its log.
  pipe.removeAllListeners('error').on('error', () => {
    isGone = true
  })
  return new Writable({
    write(lines: Buffer, _encoding, done) {
      if (isGone) done()
      else pipe.write(lines, () => done())
    },
  })
}

function throughWriter(descriptor: 1 | 2): Writable {
  const writer = createLineWriter(descriptor)
  return new Writable({
    write(lines: Buffer, _encoding, done) {
      writer.write(String(lines))
      writer.flush()
      done()
    },
  })
}
