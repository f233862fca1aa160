import { pino } from 'pino'

/** Takes whole lines, each with its line end. */
export type LineSink = {
  /** What it answers is not looked at. */
  write(line: string): unknown
}

/** Takes lines, and writes them all at once when it is told to. */
export type LineWriter = LineSink & { flush(): void }

/** Characters that wait at most for a destination that takes none, such as a full disk; what comes then is lost. */
const WAITING_MAX = 1024 * 1024

/** Hands each line over as it comes. */
export function ungathered(sink: LineSink): LineWriter {
  return { write: (line) => sink.write(line), flush: () => undefined }
}

/** Gathers lines for a file descriptor: a write costs more than a line. */
export function createLineWriter(descriptor: 1 | 2): LineWriter {
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: WAITING_MAX })
  // pino itself ends the writing where the reader went away. Anything else costs lines, not the process.
  destination.on('error', () => undefined)
  // A disk that was full may be so no longer: by itself pino tries no more where so much waits.
  destination.on('drop', () => destination.write(''))
  let gathered = ''
  return {
    write: (line) => {
      gathered += line
    },
    flush: () => {
      const lines = gathered
      gathered = ''
      if (lines !== '') destination.write(lines)
    },
  }
}
