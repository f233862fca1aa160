const SEMI_SPACE = '--max-semi-space-size'
/** Mebibytes. */
const SEMI_SPACE_SIZE = 8

/**
 * What Node is told when it starts a worker. Half of V8's default for what requests leave behind saves 16 MiB of each
 * process, and costs no CPU time that can be measured. A size that the operator has chosen stays: `given` is what this
 * process was started with, `nodeOptions` the variable NODE_OPTIONS.
 */
export function workerHeap(given: readonly string[], nodeOptions: string): readonly string[] {
  const isChosen = [...given, nodeOptions].some((text) => text.replaceAll('_', '-').includes(SEMI_SPACE))
  return isChosen ? given : [...given, `${SEMI_SPACE}=${SEMI_SPACE_SIZE}`]
}
