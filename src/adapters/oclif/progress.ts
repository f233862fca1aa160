import type { SingleBar } from 'cli-progress'
import { setTimeout as wait } from 'node:timers/promises'
import { createRetries, type Retries } from '../../application/retrying.js'
import type { Signals } from './signals.js'
import { shownText } from './output.js'

/** Shows the progress of a long operation on standard error, with a progress bar only if standard error is a terminal. */
export type Progress = {
  /** Sets the completed amount and, if given, the number of finished lines or records. */
  update(done: number, count: number | undefined): void
  /** Prints a line on standard error, above the progress bar if it is shown. */
  say(text: string): void
  stop(): void
}

const KNOWN = '{bar} {percentage} % · {count} {unit} · {rate}/s · {eta_formatted} left'
const ENDLESS = '{count} {unit} · {rate}/s · {duration_formatted}'

export async function showProgress(
  total: number | undefined,
  unit: 'lines' | 'records',
  terminal: NodeJS.WriteStream = process.stderr,
): Promise<Progress> {
  if (!terminal.isTTY) return withoutBar(terminal)
  // Uses the default export, because in a bundle a dynamic import of a CommonJS package has no named exports.
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

/** Control sequence that moves the cursor to the first column and clears the line. */
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
    // The progress bar redraws itself below this line.
    say: (text) => terminal.write(`${CLEAR_LINE}${text}\n`),
    stop: () => bar.stop(),
  }
}

type CommandWaiting = {
  /** Prints a line for the operator; by default on standard error. */
  readonly say?: (text: string) => void
  /** A signal ends the current pause and prevents further attempts. */
  readonly signals?: Signals
}

/** Retries calls if the store is too slow for a command, using the clock and the timers of this process. */
export function createCommandRetries({
  say = (text) => process.stderr.write(`${text}\n`),
  signals,
}: CommandWaiting = {}): Retries {
  const stop = new AbortController()
  void signals?.received.then(() => stop.abort())
  return createRetries({
    now: () => performance.now(),
    pause: async (duration) => {
      await wait(duration, undefined, { signal: stop.signal }).catch(() => undefined)
    },
    isStopped: () => signals?.isReceived() === true,
    onSlow: (reason) => {
      say(
        `The store is slow: ${shownText(reason)} The command continues; it ends if the store does not respond for 5 minutes.`,
      )
    },
  })
}
