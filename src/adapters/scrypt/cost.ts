import type { HashCost } from '../../ports/passwords.js'

const BOUNDS = { logN: [10, 20], r: [1, 32], p: [1, 16] } as const

/** Maximum memory: 1 GiB (N = 2^20 with r = 8), which is half of OpenSSL's limit. */
const MEMORY_MAX = 2 ** 30

/** Maximum work for a stored hash, relative to the configured cost. */
const WORK_FACTOR = 4
/** Maximum memory for verifying a stored hash, unless the configured cost needs more. */
const STORED_MEMORY = 2 ** 28

/** Returns the violated rule, if any: logN must be 10 to 20, r 1 to 32, p 1 to 16, and memory at most 1 GiB. */
export function hashCostError(cost: HashCost): string | undefined {
  for (const name of ['logN', 'r', 'p'] as const) {
    const [least, most] = BOUNDS[name]
    const value = cost[name]
    const fine = Number.isInteger(value) && value >= least && value <= most
    if (!fine) return `${name} must be an integer from ${least} to ${most}`
  }
  if (!isComputable(cost)) return 'logN must be at most 15 if r is 1'
  return memoryOf(cost) > MEMORY_MAX ? 'must require at most 1 GiB of memory (128 · N · r bytes)' : undefined
}

/**
 * Returns whether every parameter of a stored hash is at least the minimum for a configured cost; if not, the hash must not be verified.
 */
export function isSound(cost: HashCost): boolean {
  return (['logN', 'r', 'p'] as const).every((name) => cost[name] >= BOUNDS[name][0]) && isComputable(cost)
}

/** scrypt requires N to be below 2^(128 · r / 8) (RFC 7914, 2). */
function isComputable({ logN, r }: HashCost): boolean {
  return logN < 16 * r
}

export function isSameCost(one: HashCost, other: HashCost): boolean {
  return one.logN === other.logN && one.r === other.r && one.p === other.p
}

/** Returns a number proportional to the time that a hash takes. */
export function workOf({ logN, r, p }: HashCost): number {
  return 2 ** logN * r * p
}

function memoryOf({ logN, r }: HashCost): number {
  return 128 * 2 ** logN * r
}

/**
 * Returns whether a stored hash is cheap enough to verify: up to 4 times the configured work, and up to 256 MiB or the configured memory.
 * This limits the cost of a login, even for an account with an imported hash.
 */
export function isVerifiable(stored: HashCost, configured: HashCost): boolean {
  return (
    workOf(stored) <= WORK_FACTOR * workOf(configured) &&
    memoryOf(stored) <= Math.max(STORED_MEMORY, memoryOf(configured))
  )
}

export function verifiableCosts(configured: HashCost): string {
  const mebibytes = Math.max(STORED_MEMORY, memoryOf(configured)) / 2 ** 20
  return `scrypt hashes are accepted up to ${WORK_FACTOR} times the configured work (${costText(configured)}) and ${mebibytes} MiB`
}

/** Formats a cost, for example as `N=2^17 r=8 p=1`. */
export function costText({ logN, r, p }: HashCost): string {
  return `N=2^${logN} r=${r} p=${p}`
}

/**
 * Returns the default number of concurrent hashes. Leaves two threads of libuv's thread pool free for token checks and files; more hashes
 * than cores would only use more memory.
 */
export function defaultHashConcurrency(machine: {
  readonly cores: number
  readonly threadPoolSize: number
}): number {
  return Math.max(1, Math.min(machine.cores, machine.threadPoolSize - 2))
}
