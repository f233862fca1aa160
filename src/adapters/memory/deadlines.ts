import type { Instant } from '../../domain/instant.js'

/** Rows in the order of their ends: a binary heap that records the position of each key. */
export type Deadlines<Key, Row> = {
  get(key: Key): Row | undefined
  /** Replaces an earlier row of the key. */
  set(key: Key, at: Instant, row: Row): void
  delete(key: Key): void
  keys(): Iterable<Key>
  /** Removes and returns at most `limit` rows that have ended at `at`, in the order of their ends. */
  takeOver(at: Instant, limit: number): Row[]
}

type Entry<Key, Row> = { readonly key: Key; readonly at: Instant; readonly row: Row }

export function createDeadlines<Key, Row>(): Deadlines<Key, Row> {
  const heap: Entry<Key, Row>[] = []
  const places = new Map<Key, number>()

  function put(entry: Entry<Key, Row>, place: number): void {
    heap[place] = entry
    places.set(entry.key, place)
  }

  /** Moves an entry up or down until the heap is in order. */
  function settle(entry: Entry<Key, Row>, from: number): void {
    let place = from
    for (let above = heap[(place - 1) >>> 1]; above && above.at > entry.at; above = heap[(place - 1) >>> 1]) {
      put(above, place)
      place = (place - 1) >>> 1
    }
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      const below = (heap[right]?.at ?? Infinity) < (heap[left]?.at ?? Infinity) ? right : left
      const next = heap[below]
      if (next === undefined || next.at >= entry.at) break
      put(next, place)
      place = below
    }
    put(entry, place)
  }

  function remove(key: Key): void {
    const place = places.get(key)
    const moved = place === undefined ? undefined : heap.pop()
    if (place === undefined || moved === undefined) return
    places.delete(key)
    if (moved.key !== key) settle(moved, place)
  }

  return {
    get(key) {
      const place = places.get(key)
      return place === undefined ? undefined : heap[place]?.row
    },
    set: (key, at, row) => settle({ key, at, row }, places.get(key) ?? heap.length),
    delete: remove,
    keys: () => places.keys(),
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
