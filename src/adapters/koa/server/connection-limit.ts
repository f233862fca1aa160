import { readFileSync } from 'node:fs'

/** Concurrent connections of a server by default. */
export const MAX_CONNECTIONS = 10_000
/** Descriptors reserved for the store, mail, logs and metrics. MongoDB alone opens up to 50 connections. */
const RESERVED = 128

/** Concurrent connections of a server. `descriptors` is present if the descriptor limit of the process lowered the number. */
export type ConnectionLimit = { readonly connections: number; readonly descriptors?: number }

/**
 * Lowers the number if the process cannot open enough descriptors: without a free descriptor the store fails. Reserves at
 * most half of the descriptors.
 */
export function connectionLimit(wanted: number, descriptors = descriptorLimit()): ConnectionLimit {
  if (descriptors === undefined) return { connections: wanted }
  const reserved = Math.min(RESERVED, Math.ceil(descriptors / 2))
  const possible = Math.max(1, descriptors - reserved)
  return possible < wanted ? { connections: possible, descriptors } : { connections: wanted }
}

/** The descriptor limit of this process; `undefined` without a limit, and on systems other than Linux. */
function descriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
