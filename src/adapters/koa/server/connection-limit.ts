// Limits how many connections the server accepts at the same time.
import { readFileSync } from 'node:fs'

/** Default maximum number of concurrent connections */
export const MAX_CONNECTIONS = 10_000
/** Number of file descriptors reserved for the store, email, logs and metrics; MongoDB alone opens up to 50 connections. */
const RESERVED = 128

/** Maximum number of concurrent connections. `descriptors` is present if the process's file descriptor limit lowered the maximum. */
export type ConnectionLimit = { readonly connections: number; readonly descriptors?: number }

/**
 * Lowers the maximum number of connections if the process cannot open enough file descriptors, because the store fails if no descriptor is
 * free. Reserves at most half of the descriptors.
 */
export function connectionLimit(wanted: number, descriptors = descriptorLimit()): ConnectionLimit {
  if (descriptors === undefined) return { connections: wanted }
  const reserved = Math.min(RESERVED, Math.ceil(descriptors / 2))
  const possible = Math.max(1, descriptors - reserved)
  return possible < wanted ? { connections: possible, descriptors } : { connections: wanted }
}

/** Returns the file descriptor limit of this process; `undefined` if unlimited or not on Linux. */
function descriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
