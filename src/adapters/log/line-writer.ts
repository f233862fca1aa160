import { writeSync } from 'node:fs'

/** Takes whole lines, each with its line end. */
export type LineSink = {
  /** What it answers is not looked at. */
  write(line: string): unknown
}

/** Takes lines, and writes them all at once when it is told to. */
export type LineWriter = LineSink & { flush(): void }

/** Bytes that wait at most for a destination that takes none, such as a full disk; what comes then is lost. */
const WAITING_MAX = 1024 * 1024
/** For how long a pipe is left alone whose reader is behind, in milliseconds. */
const PAUSE = 100

/** Hands each line over as it comes. */
export function ungathered(sink: LineSink): LineWriter {
  return { write: (line) => sink.write(line), flush: () => undefined }
}

/** Gathers lines for a file descriptor: a write costs more than a line. */
export function createLineWriter(descriptor: 1 | 2): LineWriter {
  let gathered = ''
  let waiting = Buffer.alloc(0)
  let hasReader = true
  const flush = () => {
    if (waiting.length < WAITING_MAX) waiting = Buffer.concat([waiting, Buffer.from(gathered)])
    gathered = ''
    if (!hasReader) return
    try {
      while (waiting.length > 0) waiting = waiting.subarray(written(descriptor, waiting))
    } catch (error) {
      // Where the reader went away the writing ends. Anything else costs lines, not the process.
      hasReader = codeOf(error) !== 'EPIPE'
    }
  }
  return { write: (line) => void (gathered += line), flush }
}

/** How many bytes were taken; waits in place, since a line must be written before the call returns. */
function written(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    return 0
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
