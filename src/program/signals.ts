/** Acts on each SIGUSR2, which would otherwise end the process. Windows has no such signal. */
export function onLevelSignal(act: () => void): void {
  if (process.platform !== 'win32') process.on('SIGUSR2', act)
}
