import { bytesOf, createByteCache } from '../../application/byte-cache.js'
import { frozen } from '../../domain/plain-data.js'
import type { Connection } from './driver.js'
import { createRowChanges, type RowNames } from './row-changes.js'

/**
 * Answers of one statement, by key. A cached answer is frozen, because callers share it and attach derived data to it. An
 * answer that is not cached has one caller, so freezing it would cost time and save none.
 */
export type RowCache<R> = (key: string | number, read: () => R) => R

type RowsOf<R> = (answer: NonNullable<R>) => RowNames | undefined

export type RowCaches = {
  /**
   * Holds answers of at most so many bytes. `rowsOf` names the rows that an answer was read from; without names the answer
   * is not cached.
   */
  cache<R>(bytes: number, rowsOf: RowsOf<R>): RowCache<R>
  /**
   * Must be awaited before a cache is used: one check of the counter then serves all requests that arrive
   * together, and it happens after the call.
   */
  turn(): Promise<void>
  /** Must be called before this connection writes. */
  expectOwn(): void
}

type Entry<R> = {
  readonly answer: NonNullable<R>
  readonly bytes: number
  /** Until when the rows are known to be unchanged. */
  unchangedAt: number
}

/** An entry and its place in the cache, without its answer. */
const ENTRY_BYTES = 150

/**
 * Caches answers until any process changes their rows. No answer is older than the file, and a repeated read costs a
 * twentieth.
 */
export function createRowCaches(connection: Connection, assertSchema: () => void): RowCaches {
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
    expectOwn: () => changes.expectOwn(),
    turn: () => (turn ??= nextTurn()),
    cache: <R>(limit: number, rowsOf: RowsOf<R>): RowCache<R> => {
      const entries = createByteCache<string | number, Entry<R>>(limit)

      /** The names of the rows are made only after a change, because they would take a tenth of the entry. */
      function isUnchanged({ answer, unchangedAt }: Entry<R>): boolean {
        if (unchangedAt === changes.now()) return true
        const rows = rowsOf(answer)
        return rows !== undefined && changes.areUnchanged(rows, unchangedAt)
      }

      /** An answer that is newer than the last change that was noticed would outlive a restored copy of the file without it. */
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
