import { constants } from 'node:os'

/** The signals that ask a process to end; a terminal or an SSH session that closes sends SIGHUP. */
export const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

type EndSignal = (typeof END_SIGNALS)[number]

export type Signals = {
  /** Resolves with the first of `END_SIGNALS`. */
  readonly received: Promise<void>
  isReceived(): boolean
}

/**
 * Treats the first signal as a request to end; a further SIGTERM or SIGINT ends the process immediately. A further SIGHUP
 * does not, because the shell and the kernel each send one when a terminal closes.
 */
export function takeSignals(): Signals {
  let taken = false
  const received = new Promise<void>((resolve) => {
    const onSignal = (signal: EndSignal) => {
      if (taken && signal !== 'SIGHUP') endBy(signal)
      taken = true
      resolve()
    }
    for (const signal of END_SIGNALS) process.on(signal, onSignal)
  })
  return { received, isReceived: () => taken }
}

/**
 * Ends the process as the signal itself would, so that a shell or a supervisor sees the cause. A signal that
 * the first process of a container sends to itself does not end it: there the exit status names the signal.
 */
function endBy(signal: EndSignal): never {
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
