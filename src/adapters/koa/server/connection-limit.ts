import { readFileSync } from 'node:fs'

/** How many connections a server takes at once where nothing else is said. */
export const MAX_CONNECTIONS = 10_000
/** Descriptors that are kept free for the store, mail, logs and metrics. MongoDB alone has up to 50 connections. */
const RESERVED = 128

/** How many connections a server may take, and how many files and sockets its process may open where that is the reason. */
export type ConnectionLimit = { readonly connections: number; readonly descriptors?: number }

/**
 * As many as wanted, or fewer where the process would run out of descriptors: without one neither the store nor
 * anything else works. Of few descriptors half are kept free.
 */
export function connectionLimit(wanted: number, descriptors = descriptorLimit()): ConnectionLimit {
  if (descriptors === undefined) return { connections: wanted }
  const reserved = Math.min(RESERVED, Math.ceil(descriptors / 2))
  const possible = Math.max(1, descriptors - reserved)
  return possible < wanted ? { connections: possible, descriptors } : { connections: wanted }
}

/** What the kernel allows this process; `undefined` where only Linux would tell, or there is no limit. */
function descriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
