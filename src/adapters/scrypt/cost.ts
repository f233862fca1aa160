import type { HashCost } from '../../ports/password-hasher.js'

const BOUNDS = { logN: [10, 20], r: [1, 32], p: [1, 16] } as const

/** 1 GiB: N = 2^20 with r = 8, half of the limit of OpenSSL. */
const MEMORY_MAX = 2 ** 30

/** The largest work of a stored hash, relative to the configured cost. */
const WORK_FACTOR = 4
/** The memory that a stored hash may always use. */
const STORED_MEMORY = 2 ** 28

/**
 * The rule that a configured cost breaks, or `undefined`: logN 10 to 20, r 1 to 32, p 1 to 16, memory at most 1
 * GiB.
 */
export function hashCostError(cost: HashCost): string | undefined {
  for (const name of ['logN', 'r', 'p'] as const) {
    const [least, most] = BOUNDS[name]
    const value = cost[name]
    const fine = Number.isInteger(value) && value >= least && value <= most
    if (!fine) return `${name} must be an integer from ${least} to ${most}`
  }
  if (!isComputable(cost)) return 'logN must be at most 15 where r is 1'
  return memoryOf(cost) > MEMORY_MAX ? 'must need at most 1 GiB (128 · N · r bytes)' : undefined
}

/** Whether a stored hash of this cost is worth verifying: not below the limits of a configured cost. */
export function isSound(cost: HashCost): boolean {
  return (['logN', 'r', 'p'] as const).every((name) => cost[name] >= BOUNDS[name][0]) && isComputable(cost)
}

/** N must be below 2^(128 · r / 8) (RFC 7914, 2). */
function isComputable({ logN, r }: HashCost): boolean {
  return logN < 16 * r
}

export function isSameCost(one: HashCost, other: HashCost): boolean {
  return one.logN === other.logN && one.r === other.r && one.p === other.p
}

/** Proportional to the time of a hash. */
export function workOf({ logN, r, p }: HashCost): number {
  return 2 ** logN * r * p
}

function memoryOf({ logN, r }: HashCost): number {
  return 128 * 2 ** logN * r
}

/**
 * Whether a stored hash is verified: up to 4 times the configured work, and up to 256 MiB or the configured
 * memory. So a login never costs much more than configured, even for an imported hash.
 */
export function isVerifiable(stored: HashCost, configured: HashCost): boolean {
  return (
    workOf(stored) <= WORK_FACTOR * workOf(configured) &&
    memoryOf(stored) <= Math.max(STORED_MEMORY, memoryOf(configured))
  )
}

/** The limits of `isVerifiable` in words, for an import of hashes. */
export function verifiableCosts(configured: HashCost): string {
  const mebibytes = Math.max(STORED_MEMORY, memoryOf(configured)) / 2 ** 20
  return `scrypt is taken up to ${WORK_FACTOR} times the configured work (${costText(configured)}) and ${mebibytes} MiB`
}

/** Such as `N=2^17 r=8 p=1`. */
export function costText({ logN, r, p }: HashCost): string {
  return `N=2^${logN} r=${r} p=${p}`
}

/**
 * The number of concurrent hashes. Two threads of libuv's pool stay free for token checks and files; more
 * hashes than cores only take memory.
 */
export function defaultHashConcurrency(machine: {
  readonly cores: number
  readonly threadPoolSize: number
}): number {
  return Math.max(1, Math.min(machine.cores, machine.threadPoolSize - 2))
}
