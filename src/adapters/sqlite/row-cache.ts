import type { Connection, Value } from './driver.js'

/** Answers of one statement by the key that was asked for, at most `size` of them; each is frozen throughout. */
export type RowCache<R> = (key: string | number, read: () => R) => R

export type RowCaches = {
  cache<R>(size: number): RowCache<R>
  /**
   * To be waited for before a cache is asked: until all requests are in that come in together, since one look at the
   * counter then does for all of them. Always a later one than the asking: what has been written until then is seen.
   */
  turn(): Promise<void>
  /** Has to be called before this connection writes. */
  forget(): void
}

/**
 * Keeps answers until the next commit to the file, by any process: every look asks
 * SQLite's own change counter first, which another process's commit moves at once, and a write of
 * ours forgets. So no answer is older than the file, and reading the same thing again between two
 * writes costs a twentieth. The same object is handed out again and again, so it is frozen: whatever a caller has made of
 * it, such as its JSON, it may keep with it.
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

  /** Once for all reads that have waited for this turn: a later read waits for the next one. */
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

/** With all that is in it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
