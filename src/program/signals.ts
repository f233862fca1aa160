/**
 * Acts on each SIGUSR2, which would otherwise end the process. Windows has no such signal: there it never acts.
 */
export function onLevelSignal(act: () => void): void {
  if (process.platform !== 'win32') process.on('SIGUSR2', act)
}

/** Ignores the signals that come to a whole group of processes: the primary process takes them for all. */
export function ignoreSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
  onLevelSignal(() => undefined)
}
