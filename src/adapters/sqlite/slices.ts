import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import type { Database } from './database.js'

/** Less than a millisecond of work, wherever in the file the rows and what finds them lie. */
export const SLICE_ROWS = 10
/** In which all other work is done. */
const PAUSE: Milliseconds = 5

/** How many rows were looked at, and how many of them were removed. */
export type Slice = { readonly looked: number; readonly gone: number }

/**
 * Removes at most `limit` rows, few at a time, and tells how many it were. SQLite works in the thread of its caller, so
 * a transaction keeps every request of this process waiting, and its lock every writer of another one: each slice is a
 * transaction of its own, with a pause after it. The log is written back after each slice too, else the one that commits when
 * a thousand pages of it are full writes all of them.
 *
 * Rows that turn out to stay are not bounded by `limit`, so it ends with the slice under way once the signal is aborted.
 */
export async function removeInSlices(
  { write, writeBack }: Pick<Database, 'write' | 'writeBack'>,
  limit: number,
  removeFirst: (limit: number) => Slice,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  while (removed < limit && !signal?.aborted) {
    const slice = Math.min(SLICE_ROWS, limit - removed)
    const { looked, gone } = await write(() => removeFirst(slice))
    removed += gone
    if (looked < slice) return removed
    await betweenSlices({ writeBack })
  }
  return removed
}

/** Lets all other work be done, the log's too. */
export async function betweenSlices({ writeBack }: Pick<Database, 'writeBack'>): Promise<void> {
  await writeBack()
  await pause(PAUSE)
}

/** A slice of which everything was removed that was looked at. */
export function allOf({ changes }: { readonly changes: number }): Slice {
  return { looked: changes, gone: changes }
}
