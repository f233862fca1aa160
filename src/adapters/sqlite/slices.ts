import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import type { Database } from './database.js'

/** Less than a millisecond of work. */
export const SLICE_ROWS = 10
const PAUSE: Milliseconds = 5

/** The number of rows that were examined, and the number of rows that were removed. */
export type Slice = { readonly looked: number; readonly gone: number }

/**
 * Removes at most `limit` rows in small slices and returns their number. SQLite runs in the thread of its
 * caller, so a transaction delays every request of this process, and its lock delays writers of other
 * processes: each slice is a transaction with a pause after it. Each slice also writes the log back; otherwise
 * one commit would write back a thousand pages.
 *
 * Examined rows that stay do not count towards `limit`, so an aborted signal ends the removal after the
 * current slice.
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

/** A slice whose rows were all removed. */
export function allOf({ changes }: { readonly changes: number }): Slice {
  return { looked: changes, gone: changes }
}
