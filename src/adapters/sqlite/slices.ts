// Removes many rows in short transactions, so that other writers do not wait.
import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import type { Database } from './database.js'

/** Number of rows in a slice; a slice takes less than a millisecond. */
export const SLICE_ROWS = 10
const PAUSE: Milliseconds = 5

/** The numbers of examined and removed rows. */
export type Slice = { readonly looked: number; readonly gone: number }

/**
 * Removes at most `limit` rows in small slices and returns the number of removed rows. SQLite runs in the calling thread, so a transaction
 * delays every request of this process, and its lock delays writers in other processes; therefore the removal pauses after each slice,
 * which is one transaction. Each slice also copies the write-ahead log into the database file, because otherwise a single commit would have
 * to copy a thousand pages.
 *
 * Rows that are examined but not removed do not count toward `limit`, so the removal may take a long time; an aborted signal ends it after
 * the current slice.
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

export async function betweenSlices({ writeBack }: Pick<Database, 'writeBack'>): Promise<void> {
  await writeBack()
  await pause(PAUSE)
}

/** Returns a slice in which every examined row has been removed. */
export function allOf({ changes }: { readonly changes: number }): Slice {
  return { looked: changes, gone: changes }
}
