const ARGUMENT = 'worker'

/** What a worker of this number is told on its command line: also what `ps` shows of it. */
export function workerArguments(worker: number): string[] {
  return [ARGUMENT, String(worker)]
}

/** Whether this process was started as one. */
export function isWorker(): boolean {
  return process.argv[2] === ARGUMENT && process.connected
}
