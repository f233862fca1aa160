// Limits how many connections the server accepts at the same time.
import { readFileSync } from 'node:fs'
import type { Milliseconds } from '../../../domain/instant.js'
import type { ConnectionEnding } from '../../../ports/metrics.js'
import type { RequestObservers } from '../../../http/parts.js'
import { count } from '../../../http/request-log.js'

/** Default maximum number of concurrent connections */
export const MAX_CONNECTIONS = 10_000
/** Number of file descriptors reserved for the store, email, logs and metrics; MongoDB alone opens up to 50 connections. */
const RESERVED = 128

/** Maximum number of concurrent connections. `descriptors` is present if the process's file descriptor limit lowered the maximum. */
type ConnectionLimit = { readonly connections: number; readonly descriptors?: number }

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

const INTERVAL: Milliseconds = 60_000

/** Counts connections that the server refused or closed, and logs each kind of event at most once a minute. */
export function connectionNotices(observers: Partial<RequestObservers> = {}) {
  const { log } = observers
  const warned = (detail: string) =>
    createNotice((times) => log?.warn('connections closed', { detail, count: times }))
  const notices: Readonly<Record<ConnectionEnding, () => void>> = {
    refused: warned('more than MAX_CONNECTIONS concurrent connections'),
    stalled: warned('the client did not read any of its responses within REQUEST_TIMEOUT'),
    flooding: warned('the client sent too many requests without waiting for the responses'),
  }
  const ended = (ending: ConnectionEnding) => {
    count(observers, (metrics) => metrics.connectionClosed(ending))
    notices[ending]()
  }
  let failure: unknown
  const failed = createNotice((times) =>
    log?.error('connections not accepted', { error: failure, count: times }),
  )
  return {
    refused: () => ended('refused'),
    closed: ended,
    failed: (error: unknown) => {
      failure = error
      failed()
    },
    limited: (
      { wanted, processes }: { readonly wanted: number; readonly processes: number },
      { connections, descriptors }: ConnectionLimit,
    ) => {
      if (descriptors === undefined) return
      const shared = processes > 1 ? ` for ${processes} processes` : ''
      const detail = `MAX_CONNECTIONS is ${wanted}${shared}, but this process may open only ${descriptors} files and sockets: it accepts ${connections} connections. Raise that limit (ulimit -n, LimitNOFILE=), or set MAX_CONNECTIONS=${connections * processes}`
      log?.warn('configuration', { detail })
    },
  }
}

/**
 * Limits notices of the same kind to one per minute. The first notice is sent immediately; each later notice contains the number of events
 * since the previous notice. `now` must be a monotonic clock.
 */
export function createNotice(
  notify: (count: number) => void,
  now: () => Milliseconds = () => performance.now(),
): () => void {
  let count = 0
  let next = -Infinity
  return () => {
    count += 1
    if (now() < next) return
    notify(count)
    count = 0
    next = now() + INTERVAL
  }
}
