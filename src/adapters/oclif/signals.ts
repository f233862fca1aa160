import { constants } from 'node:os'

/** The signals that ask a process to end; closing a terminal or an SSH session sends SIGHUP. */
export const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

type EndSignal = (typeof END_SIGNALS)[number]

export type Signals = {
  /** Resolves when the first of the `END_SIGNALS` is received. */
  readonly received: Promise<void>
  isReceived(): boolean
}

/**
 * The first signal asks the process to end; a second SIGTERM or SIGINT ends it immediately. A second SIGHUP does not, because the shell and
 * the kernel each send a SIGHUP when a terminal closes.
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
 * Ends the process as the signal would, so that a shell or a supervisor learns the cause. If the process is the first process of a
 * container, it cannot end itself with a signal, so it exits with a status that indicates the signal.
 */
function endBy(signal: EndSignal): never {
  // The log writes its delayed lines on the `exit` event, which is not emitted if a signal ends the process.
  process.emit('exit', 128 + constants.signals[signal])
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  process.exit(128 + constants.signals[signal])
}

/** Calls `act` on each SIGUSR2, which would otherwise end the process. Windows does not have this signal. */
export function onLevelSignal(act: () => void): void {
  if (process.platform !== 'win32') process.on('SIGUSR2', act)
}
