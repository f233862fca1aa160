import type { Connection, Value } from './driver.js'

/** Answers of one statement by the key that was asked for, at most `size` of them. */
export type RowCache<R> = (key: string, read: () => R) => R

export type RecentRows = {
  memory<R>(size: number): RowCache<R>
  /** Has to be called before this connection writes. */
  forget(): void
}

/**
 * Remembers rows for as long as nobody has committed anything to the file: every look asks
 * SQLite's own change counter first, which another process's commit moves at once, and a write of
 * ours forgets. So no answer is older than the file, and reading the same thing again between two
 * writes costs a twentieth. What is kept are rows; the objects that are handed out are made anew.
 */
export function createRecentRows(connection: Connection): RecentRows {
  const dataVersion = connection.prepare('PRAGMA data_version')
  const memories: Map<string, unknown>[] = []
  let seen: Value | undefined
  let asked = false

  function forget(): void {
    for (const memory of memories) if (memory.size > 0) memory.clear()
  }

  /** Once in a run of ours: until it gives way, no request comes in that could know of a later commit. */
  function notice(): void {
    if (asked) return
    asked = true
    process.nextTick(() => (asked = false))
    const now = dataVersion.get()?.[0]
    if (now !== seen) forget()
    seen = now
  }

  return {
    forget,
    memory: <R>(size: number): RowCache<R> => {
      const memory = new Map<string, R>()
      memories.push(memory)
      return (key, read) => {
        notice()
        const known = memory.get(key)
        if (known !== undefined) return known
        const row = read()
        if (memory.size >= size) memory.clear()
        if (row !== undefined) memory.set(key, row)
        return row
      }
    },
  }
}
