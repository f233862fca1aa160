/** What one scrypt hash costs: N = 2^logN, block size r, parallelisation p. Memory is 128 · N · r bytes. */
export type HashCost = { readonly logN: number; readonly r: number; readonly p: number }

const BOUNDS = { logN: [10, 20], r: [1, 32], p: [1, 16] } as const

/** 1 GiB: N = 2^20 with the customary r = 8, and half of what OpenSSL would obey. */
const MEMORY_MAX = 2 ** 30

/**
 * The rule that a cost breaks, `undefined` where it is within bounds: logN 10 to 20, r 1 to 32,
 * p 1 to 16, memory at most 1 GiB. The same rule judges configured costs and those of stored
 * hashes, so what can be configured can always be verified later.
 */
export function hashCostFault(cost: HashCost): string | undefined {
  for (const name of ['logN', 'r', 'p'] as const) {
    const [least, most] = BOUNDS[name]
    const value = cost[name]
    const fine = Number.isInteger(value) && value >= least && value <= most
    if (!fine) return `${name} must be an integer from ${least} to ${most}`
  }
  return 128 * 2 ** cost.logN * cost.r > MEMORY_MAX
    ? 'must need at most 1 GiB (128 · N · r bytes)'
    : undefined
}

/**
 * How many hashes to compute at once. Two threads of libuv's pool stay free, since checking
 * tokens and reading files wait in the same pool; more hashes than cores only take memory.
 */
export function defaultHashConcurrency(machine: {
  readonly cores: number
  readonly threadPoolSize: number
}): number {
  return Math.max(1, Math.min(machine.cores, machine.threadPoolSize - 2))
}
