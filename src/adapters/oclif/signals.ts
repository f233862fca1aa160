import { constants } from 'node:os'

export type Signals = {
  /** Resolves with the first SIGTERM or SIGINT. */
  readonly received: Promise<void>
  isReceived(): boolean
}

/** Treats the first SIGTERM or SIGINT as a request to end; the second ends the process immediately. */
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
 * Ends the process as the signal itself would, so that a shell or a supervisor sees the cause. A signal that
 * the first process of a container sends to itself does not end it: there the exit status names the signal.
 */
function endBy(signal: 'SIGTERM' | 'SIGINT'): never {
  // A signal ends a process without the event `exit`, on which the log writes its delayed lines.
  process.emit('exit', 128 + constants.signals[signal])
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  process.exit(128 + constants.signals[signal])
}

/** Acts on each SIGUSR2, which would otherwise end the process. Windows has no such signal. */
export function onLevelSignal(act: () => void): void {
  if (process.platform !== 'win32') process.on('SIGUSR2', act)
}
