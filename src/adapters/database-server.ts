import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import { codeOf, withOpenedFile } from '../configuration/opened-file.js'
import { parametersIn } from '../configuration/storage.js'
import type { Milliseconds } from '../domain/instant.js'
import { isRefusal, transient, unavailable, type Refusal } from '../domain/refusal.js'

const PAUSE = 500

/**
 * Opens a store with `open`, and repeats `open` as long as waiting may help and an attempt can end within `startTimeout`; rejects with the
 * last error. Calls `onWait` when waiting begins and when the reason for waiting changes.
 */
export async function withRetries<T>(
  open: () => Promise<T>,
  { startTimeout = 0, timeout = SERVER_DEFAULTS.timeout, onWait }: ServerOptions,
  mayHelp: (refusal: Refusal) => boolean,
): Promise<T> {
  const lastStart = performance.now() + startTimeout - timeout
  let reported: string | undefined
  for (;;) {
    try {
      return await open()
    } catch (error) {
      const reason = isRefusal(error) && mayHelp(error) ? error.detail : undefined
      if (reason === undefined || performance.now() + PAUSE > lastStart) throw error
      if (reason !== reported) onWait?.(reason)
      reported = reason
      await pause(PAUSE)
    }
  }
}

/**
 * If `work` exceeds the timeout, rejects with an `unavailable` Refusal that names the server, because a driver may limit each step but not
 * a whole call. `work` continues after the timeout and may still write.
 */
export async function within<T>(timeout: Milliseconds, work: Promise<T>, server: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(transient(`The ${server} server did not answer in time.`)), timeout)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Tracks a store's running calls. Closing refuses new calls, waits for the running calls, and then waits at most `timeout` for `end`. */
export function trackCalls(server: string, timeout: Milliseconds, end: () => Promise<void>) {
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  async function closeOnce(): Promise<void> {
    await Promise.allSettled(running)
    // A driver may hang, for example because it first asks the server to end its sessions.
    await within(timeout, end(), server).catch(() => undefined)
  }

  return {
    track: async <T>(call: () => Promise<T>): Promise<T> => {
      if (closing) throw unavailable('The store is closed.')
      const answer = call()
      running.add(answer)
      try {
        return await answer
      } finally {
        running.delete(answer)
      }
    },
    close: () => (closing ??= closeOnce()),
  }
}

/** Options of a store on a database server, with times in milliseconds. */
export type ServerOptions = {
  /** Maximum duration of a call including retries, after which the call fails with `unavailable`; 4,500 by default. */
  readonly timeout?: Milliseconds
  /** Maximum duration of `ready`; 1,500 by default. */
  readonly readyTimeout?: Milliseconds
  /** How long to keep retrying to open the store while no server is usable and waiting may help; 0 by default. */
  readonly startTimeout?: Milliseconds
  /** Called with the reason for waiting. */
  readonly onWait?: (reason: string) => void
  /** Called if this instance initialized an empty database or schema. */
  readonly onCreated?: () => void
  /**
   * Whether the schema of an earlier release is upgraded; `true` by default. If `false`, a store with an earlier schema is rejected and
   * stays unchanged.
   */
  readonly upgrade?: boolean
}

/** The connection-string parameters whose values are file names, in lower case. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey', 'tlscafile', 'tlscrlfile', 'tlscertificatekeyfile']

/** Refuses a connection string that names an unreadable file, a pipe or a device; a driver might never finish reading these. */
export function assertFilesReadable(url: string): void {
  for (const [name, path] of parametersIn(url)) {
    if (path === '' || !FILES.includes(name.toLowerCase())) continue
    try {
      withOpenedFile(path, ({ read }) => read())
    } catch (error) {
      throw unavailable(`${name} in DATABASE_URL names a file that cannot be read (${codeOf(error)}).`)
    }
  }
}

export const SERVER_DEFAULTS = { timeout: 4_500, readyTimeout: 1_500 }

/** The default maximum number of connections of one instance. */
export const POOL_SIZES = { mongodb: 50, postgresql: 10 }

/** Maximum number of calls per command. With more calls, callers would wait longer, and MongoDB would split the reply into two batches. */
const MAX_BATCH = 64

/**
 * Combines all calls of one event loop turn in one command, because a command costs far more than its content. Each caller gets the result
 * or the error of the whole batch.
 */
export function batchCalls<Request, Result>(
  runAll: (requests: readonly Request[]) => Promise<Result>,
): (request: Request) => Promise<Result> {
  let open: { readonly requests: Request[]; readonly result: Promise<Result> } | undefined

  function begin() {
    const requests: Request[] = []
    const result = endOfTurn().then(() => {
      if (open?.requests === requests) open = undefined
      return runAll(requests)
    })
    return { requests, result }
  }

  return (request) => {
    const { requests, result } = (open ??= begin())
    if (requests.push(request) === MAX_BATCH) open = undefined
    return result
  }
}
