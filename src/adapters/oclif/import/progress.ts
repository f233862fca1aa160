import type { SingleBar } from 'cli-progress'

/** What people see of an import while it runs; nothing where standard error is no terminal. */
export type Progress = {
  /** Bytes of the file so far and the number of the last line, where a line has ended. */
  update(bytes: number, line: number | undefined): void
  /** Takes the bar away. */
  stop(): void
}

const NONE: Progress = { update: () => undefined, stop: () => undefined }
const KNOWN = '{bar} {percentage} % · {lines} lines · {rate}/s · {eta_formatted} left'
/** Of a pipe nobody knows how much will come. */
const ENDLESS = '{lines} lines · {rate}/s · {duration_formatted}'

export async function showProgress(
  total: number | undefined,
  terminal: NodeJS.WriteStream,
): Promise<Progress> {
  if (!terminal.isTTY) return NONE
  const { SingleBar, Presets } = await import('cli-progress')
  const format = total === undefined ? ENDLESS : KNOWN
  const options = { format, stream: terminal, clearOnComplete: true, hideCursor: true, etaBuffer: 100 }
  const bar = new SingleBar(options, Presets.shades_classic)
  bar.start(total ?? 0, 0, { lines: 0, rate: 0 })
  return shownBy(bar)
}

function shownBy(bar: SingleBar): Progress {
  const begun = performance.now()
  let lines = 0
  return {
    update(bytes, line = lines) {
      lines = line
      const seconds = (performance.now() - begun) / 1000
      bar.update(bytes, { lines, rate: Math.round(lines / Math.max(seconds, 0.001)) })
    },
    stop: () => bar.stop(),
  }
}
