import { setTimeout as wait } from 'node:timers/promises'
import { createRetries, type Retries } from '../../application/retrying.js'
import type { Signals } from './signals.js'
import { shownText } from './terminal-text.js'

type CommandWaiting = {
  /** Prints a line for the operator; by default on standard error. */
  readonly say?: (text: string) => void
  /** A signal ends the current pause and prevents further attempts. */
  readonly signals?: Signals
}

/** Retries calls if the store is too slow for a command, using the clock and the timers of this process. */
export function createCommandRetries({ say = onStandardError, signals }: CommandWaiting = {}): Retries {
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

function onStandardError(text: string): void {
  process.stderr.write(`${text}\n`)
}
