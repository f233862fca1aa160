import { constants } from 'node:os'

export type Signals = {
  /** Resolves with the first SIGTERM or SIGINT. */
  readonly received: Promise<void>
  isReceived(): boolean
}

/** Takes the first SIGTERM or SIGINT as a request to end; the second ends the process immediately. */
export function takeSignals(): Signals {
  let taken = false
  const received = new Promise<void>((resolve) => {
    const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
      if (taken) endBy(signal)
      taken = true
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
  return { received, isReceived: () => taken }
}

/**
 * Ends as the signal itself would, so that a shell or a supervisor sees what happened. The first
 * process of a container is not ended by its own signal: there the exit status says the same.
 */
function endBy(signal: 'SIGTERM' | 'SIGINT'): never {
  // A signal ends a process without its `exit`, in which the log writes the lines that it has put off.
  process.emit('exit', 128 + constants.signals[signal])
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  process.exit(128 + constants.signals[signal])
}
