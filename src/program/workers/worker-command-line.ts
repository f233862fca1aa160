const ARGUMENT = 'worker'

/** The arguments of the worker with this number, which `ps` shows too. */
export function workerArguments(worker: number): string[] {
  return [ARGUMENT, String(worker)]
}

/** Whether this process was started as a worker. */
export function isWorker(): boolean {
  return process.argv[2] === ARGUMENT && process.connected
}

/**
 * Mebibytes and per cent. Half of V8's default for what requests leave behind saves 16 MiB of each process. What lives
 * longer, such as a session that is cached and then given up, V8 lets pile up to several times of what is in use before it
 * collects it: after 100,000 sessions that was 20 to 60 MiB. It is half as much again at most, or 32 MiB in all.
 */
const OURS = [
  ['--max-semi-space-size', 8],
  ['--initial-old-space-size', 32],
  ['--heap-growing-percent', 50],
] as const

/**
 * What Node is told when it starts a worker. None of it costs CPU time of a request whose session is cached. What the
 * operator has chosen stays: `given` is what this process was started with, `nodeOptions` the variable NODE_OPTIONS.
 */
export function workerHeap(given: readonly string[], nodeOptions: string): readonly string[] {
  const chosen = [...given, nodeOptions].map((text) => text.replaceAll('_', '-'))
  const ours = OURS.filter(([name]) => !chosen.some((text) => text.includes(name)))
  return [...given, ...ours.map(([name, value]) => `${name}=${value}`)]
}
