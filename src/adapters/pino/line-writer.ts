import type { Output } from './output.js'

/** Takes whole lines, each with its line end. */
export type LineSink = {
  /** What it answers is not looked at. */
  write(line: string): unknown
  /** Calls `hear` with the number of lines that it dropped, if it drops any, when it takes lines again. */
  onResumed?(hear: (dropped: number) => void): void
}

/** Takes lines, and writes them all at once when it is told to. */
export type LineWriter = LineSink & { flush(): void }

/** Hands each line over as it comes. */
export function ungathered(sink: LineSink): LineWriter {
  return { write: (line) => sink.write(line), flush: () => undefined }
}

/** Gathers lines: a write costs more than a line. */
export function gathered(output: Output): LineWriter {
  let lines = ''
  return {
    write: (line) => {
      lines += line
    },
    flush: () => {
      const all = lines
      lines = ''
      if (all !== '') output.write(all)
    },
  }
}
