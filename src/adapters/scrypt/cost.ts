import type { HashCost } from '../../ports/password-hasher.js'

const BOUNDS = { logN: [10, 20], r: [1, 32], p: [1, 16] } as const

/** 1 GiB: N = 2^20 with the customary r = 8, and half of what OpenSSL would obey. */
const MEMORY_MAX = 2 ** 30

/** How much dearer than the configured cost a stored hash may be. */
const WORK_FACTOR = 4
/** What a stored hash may take, also where less is configured. */
const STORED_MEMORY = 2 ** 28

/**
 * The rule that a configured cost breaks, `undefined` where it is within bounds: logN 10 to 20, r 1 to 32,
 * p 1 to 16, memory at most 1 GiB.
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

/** Whether a hash can have been made with it that is worth verifying: not below the bounds of what can be configured. */
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

/** In proportion to the time that a hash takes. */
export function workOf({ logN, r, p }: HashCost): number {
  return 2 ** logN * r * p
}

function memoryOf({ logN, r }: HashCost): number {
  return 128 * 2 ** logN * r
}

/**
 * Whether a stored hash is verified: up to 4 times the work of what is configured, and up to 256 MiB, or
 * as much as is configured where that is more. So one login never costs much more than it was meant to,
 * no matter who has chosen the parameters of the hash.
 */
export function isVerifiable(stored: HashCost, configured: HashCost): boolean {
  return (
    workOf(stored) <= WORK_FACTOR * workOf(configured) &&
    memoryOf(stored) <= Math.max(STORED_MEMORY, memoryOf(configured))
  )
}

/** The same in words, for a caller who brings a hash. */
export function verifiableCosts(configured: HashCost): string {
  const mebibytes = Math.max(STORED_MEMORY, memoryOf(configured)) / 2 ** 20
  return `scrypt is taken up to ${WORK_FACTOR} times the configured work (${costText(configured)}) and ${mebibytes} MiB`
}

/** Such as `N=2^17 r=8 p=1`. */
export function costText({ logN, r, p }: HashCost): string {
  return `N=2^${logN} r=${r} p=${p}`
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
