const ARGUMENT = 'worker'

/** Returns the arguments of the worker with this number; `ps` also shows these arguments. */
export function workerArguments(worker: number): string[] {
  return [ARGUMENT, String(worker)]
}

/** Returns whether this process was started as a worker. */
export function isWorker(): boolean {
  return process.argv[2] === ARGUMENT && process.connected
}

/**
 * V8 options that save memory, with values in mebibytes and percent. Half of V8's default size for short-lived objects saves 16 MiB per
 * process. V8 lets the memory for long-lived objects, such as cached sessions, grow to several times the used memory before collecting
 * garbage. After 100,000 sessions, this wasted 20 to 60 MiB. These options limit that memory to 1.5 times the used memory, or to 32 MiB in
 * total.
 */
const OURS = [
  ['--max-semi-space-size', 8],
  ['--initial-old-space-size', 32],
  ['--heap-growing-percent', 50],
] as const

/**
 * Returns the Node options for a worker. These options do not increase the CPU time of requests with cached sessions. Options that the
 * operator has set take precedence. `args` contains the options of this process; `nodeOptions` is the value of NODE_OPTIONS.
 */
export function workerHeap(args: readonly string[], nodeOptions: string): readonly string[] {
  const chosen = [...args, nodeOptions].map((text) => text.replaceAll('_', '-'))
  const ours = OURS.filter(([name]) => !chosen.some((text) => text.includes(name)))
  return [...args, ...ours.map(([name, value]) => `${name}=${value}`)]
}
