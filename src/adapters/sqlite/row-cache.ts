import { frozen } from '../../domain/plain-data.js'
import type { Connection, Value } from './driver.js'

/** At most `size` frozen answers of one statement, by key. */
export type RowCache<R> = (key: string | number, read: () => R) => R

export type RowCaches = {
  cache<R>(size: number): RowCache<R>
  /**
   * Must be awaited before a cache is used: one check of the counter then serves all requests that arrive
   * together, and it happens after the call.
   */
  turn(): Promise<void>
  /** Must be called before this connection writes. */
  forget(): void
}

/**
 * Caches answers until the next commit by any process: each use checks SQLite's change counter, which moves
 * with commits of other processes, and own writes call `forget`. No answer is older than the file, and a
 * repeated read costs a twentieth. Callers share the same frozen object and may attach derived data to it.
 */
export function createRowCaches(connection: Connection): RowCaches {
  const dataVersion = connection.prepare('PRAGMA data_version')
  const caches: Map<string | number, unknown>[] = []
  let seen: Value | undefined
  let looked = false
  let turn: Promise<void> | undefined

  function forget(): void {
    for (const cache of caches) if (cache.size > 0) cache.clear()
  }

  /** Once for all reads of a turn. */
  function notice(): void {
    if (looked) return
    const now = dataVersion.get()?.[0]
    if (now !== seen) forget()
    seen = now
    looked = true
    process.nextTick(() => (looked = false))
  }

  function nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined
        resolve()
      })
    })
  }

  return {
    forget,
    turn: () => (turn ??= nextTurn()),
    cache: <R>(size: number): RowCache<R> => {
      const cache = new Map<string | number, R>()
      caches.push(cache)
      return (key, read) => {
        notice()
        const known = cache.get(key)
        if (known !== undefined) return known
        const answer = frozen(read())
        if (cache.size >= size) cache.clear()
        if (answer !== undefined) cache.set(key, answer)
        return answer
      }
    },
  }
}
