import type { Instant } from '../../domain/instant.js'

/** Records ordered by expiry: a binary heap with an index by key. */
export type Deadlines<Key, Row> = {
  get(key: Key): Row | undefined
  /** Adds or replaces the record with this key; the record expires at `at`. */
  set(key: Key, at: Instant, row: Row): void
  delete(key: Key): void
  keys(): Iterable<Key>
  /** Removes and returns at most `limit` records that have expired by `at`, earliest first. */
  takeOver(at: Instant, limit: number): Row[]
}

type Entry<Key, Row> = { readonly key: Key; readonly at: Instant; readonly row: Row }

export function createDeadlines<Key, Row>(): Deadlines<Key, Row> {
  const heap: Entry<Key, Row>[] = []
  const positions = new Map<Key, number>()

  function put(entry: Entry<Key, Row>, position: number): void {
    heap[position] = entry
    positions.set(entry.key, position)
  }

  /** Moves an entry up or down until the heap property holds. */
  function sift(entry: Entry<Key, Row>, from: number): void {
    let position = from
    for (
      let above = heap[(position - 1) >>> 1];
      above && above.at > entry.at;
      above = heap[(position - 1) >>> 1]
    ) {
      put(above, position)
      position = (position - 1) >>> 1
    }
    for (;;) {
      const [left, right] = [2 * position + 1, 2 * position + 2]
      const below = (heap[right]?.at ?? Infinity) < (heap[left]?.at ?? Infinity) ? right : left
      const next = heap[below]
      if (next === undefined || next.at >= entry.at) break
      put(next, position)
      position = below
    }
    put(entry, position)
  }

  function remove(key: Key): void {
    const position = positions.get(key)
    const moved = position === undefined ? undefined : heap.pop()
    if (position === undefined || moved === undefined) return
    positions.delete(key)
    if (moved.key !== key) sift(moved, position)
  }

  return {
    get(key) {
      const position = positions.get(key)
      return position === undefined ? undefined : heap[position]?.row
    },
    set: (key, at, row) => sift({ key, at, row }, positions.get(key) ?? heap.length),
    delete: remove,
    keys: () => positions.keys(),
    takeOver(at, limit) {
      const taken: Row[] = []
      for (let first = heap[0]; first && first.at <= at && taken.length < limit; first = heap[0]) {
        remove(first.key)
        taken.push(first.row)
      }
      return taken
    },
  }
}
