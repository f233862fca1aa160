import { readFileSync } from 'node:fs'

/** Default maximum of concurrent connections */
export const MAX_CONNECTIONS = 10_000
/** File descriptors reserved for store, mail, logs and metrics; MongoDB alone opens up to 50 connections. */
const RESERVED = 128

/** Maximum of concurrent connections. `descriptors` is present if the process's file descriptor limit lowered it. */
export type ConnectionLimit = { readonly connections: number; readonly descriptors?: number }

/**
 * Lowers the number of connections if the process may not open enough file descriptors, because the store fails
 * without a free descriptor. Reserves at most half of the descriptors.
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
