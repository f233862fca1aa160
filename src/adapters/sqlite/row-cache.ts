import { bytesOf, createByteCache } from '../../application/byte-cache.js'
import { frozen } from '../../domain/plain-data.js'
import type { Connection } from './driver.js'
import { createRowChanges, type RowNames } from './row-changes.js'

/**
 * Caches the results of one statement by key. A cached result is frozen, because callers share the result and cache data
 * that they derive from it.
 */
export type RowCache<R> = (key: string | number, read: () => R) => R

type RowsOf<R> = (answer: NonNullable<R>) => RowNames | undefined

export type RowCaches = ReturnType<typeof createRowCaches>

type Entry<R> = {
  readonly answer: NonNullable<R>
  readonly bytes: number
  /** The latest logical time at which the rows were known to be unchanged. */
  unchangedAt: number
}

/** Estimated memory of a cache entry, excluding the cached result. */
const ENTRY_BYTES = 150

/** Caches results until any process changes their rows. A cached result is never older than the data in the file. */
export function createRowCaches(connection: Connection, assertSchema: () => void) {
  const changes = createRowChanges(connection, assertSchema)
  let turn: Promise<void> | undefined

  function nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined
        resolve()
      })
    })
  }

  return {
    /** Must be called before this connection writes. */
    expectOwn: changes.expectOwn,
    /** Must be awaited before a cache is used. One check of the change counter serves all requests that arrive together. */
    turn: () => (turn ??= nextTurn()),
    /**
     * Creates a cache for results of at most `limit` bytes in total. `rowsOf` names the rows that a result was read from; if it returns
     * `undefined`, the result is not cached.
     */
    cache: <R>(limit: number, rowsOf: RowsOf<R>): RowCache<R> => {
      const entries = createByteCache<string | number, Entry<R>>(limit)

      /** The row names are created only after a change, because storing them would take up a tenth of the entry's memory. */
      function isUnchanged({ answer, unchangedAt }: Entry<R>): boolean {
        if (unchangedAt === changes.now()) return true
        const rows = rowsOf(answer)
        return rows !== undefined && changes.areUnchanged(rows, unchangedAt)
      }

      /**
       * A result that is newer than the last noticed change must not be cached, because restoring a copy of the file without that change
       * would leave the result cached.
       */
      function add(key: string | number, answer: NonNullable<R>): void {
        if (!rowsOf(answer) || !changes.isSettled()) return
        const bytes = ENTRY_BYTES + bytesOf(answer)
        entries.set(key, { answer: frozen(answer), bytes, unchangedAt: changes.now() })
      }

      return (key, read) => {
        changes.notice()
        const entry = entries.get(key)
        if (entry && isUnchanged(entry)) {
          entry.unchangedAt = changes.now()
          return entry.answer
        }
        const answer = read()
        if (answer !== undefined && answer !== null && (entry || entries.admits(key))) add(key, answer)
        return answer
      }
    },
  }
}
