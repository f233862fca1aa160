import type { SingleBar } from 'cli-progress'

/** What people see of long work while it runs; nothing where standard error is no terminal. */
export type Progress = {
  /** The progress towards the total, and the number of lines or records if one has ended. */
  update(done: number, count: number | undefined): void
  /** Prints a line on standard error, above the bar if there is one. */
  say(text: string): void
  /** Takes the bar away. */
  stop(): void
}

const KNOWN = '{bar} {percentage} % · {count} {unit} · {rate}/s · {eta_formatted} left'
/** The length of a pipe is not known. */
const ENDLESS = '{count} {unit} · {rate}/s · {duration_formatted}'

export async function showProgress(
  total: number | undefined,
  unit: 'lines' | 'records',
  terminal: NodeJS.WriteStream = process.stderr,
): Promise<Progress> {
  if (!terminal.isTTY) return withoutBar(terminal)
  // By its default export: a bundle gives a dynamic import of a CommonJS package no other export.
  const { default: cliProgress } = await import('cli-progress')
  const format = total === undefined ? ENDLESS : KNOWN
  const options = { format, stream: terminal, clearOnComplete: true, hideCursor: true, etaBuffer: 100 }
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic)
  bar.start(total ?? 0, 0, { count: 0, rate: 0, unit })
  return shownBy(bar, terminal)
}

function withoutBar(terminal: NodeJS.WriteStream): Progress {
  const say = (text: string) => terminal.write(`${text}\n`)
  return { update: () => undefined, say, stop: () => undefined }
}

/** Back to the first column, and nothing behind it. */
const CLEAR_LINE = '\r\u001B[K'

function shownBy(bar: SingleBar, terminal: NodeJS.WriteStream): Progress {
  const begun = performance.now()
  let last = 0
  return {
    update(done, count = last) {
      last = count
      const seconds = (performance.now() - begun) / 1000
      bar.update(done, { count, rate: Math.round(count / Math.max(seconds, 0.001)) })
    },
    // The bar draws itself again below it.
    say: (text) => terminal.write(`${CLEAR_LINE}${text}\n`),
    stop: () => bar.stop(),
  }
}
