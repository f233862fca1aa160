import type { Instant } from '../../domain/instant.js'

/** Rows in the order of the moment when each is over: a binary heap that knows the place of each key. */
export type Deadlines<Key, Row> = {
  get(key: Key): Row | undefined
  /** The row is over at `at`; it replaces an earlier row of the key. */
  set(key: Key, at: Instant, row: Row): void
  delete(key: Key): void
  /** Takes out the rows that are over at `at`, the row that is over for the longest time first, at most `limit`. */
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

  function rise(entry: Entry<Key, Row>, from: number): void {
    let place = from
    while (place > 0) {
      const above = heap[(place - 1) >>> 1]
      if (above === undefined || above.at <= entry.at) break
      put(above, place)
      place = (place - 1) >>> 1
    }
    put(entry, place)
  }

  function sink(entry: Entry<Key, Row>, from: number): void {
    let place = from
    for (;;) {
      const below = sooner(2 * place + 1, 2 * place + 2)
      const next = heap[below]
      if (next === undefined || next.at >= entry.at) break
      put(next, place)
      place = below
    }
    put(entry, place)
  }

  function sooner(left: number, right: number): number {
    return (heap[right]?.at ?? Infinity) < (heap[left]?.at ?? Infinity) ? right : left
  }

  function settle(entry: Entry<Key, Row>, place: number): void {
    const above = place > 0 ? heap[(place - 1) >>> 1] : undefined
    if (above !== undefined && above.at > entry.at) rise(entry, place)
    else sink(entry, place)
  }

  function remove(key: Key): void {
    const place = places.get(key)
    const moved = place === undefined ? undefined : heap.pop()
    if (place === undefined || moved === undefined) return
    places.delete(key)
    if (moved.key !== key) settle(moved, place)
  }

  return {
    get: (key) => heap[places.get(key) ?? -1]?.row,
    set: (key, at, row) => settle({ key, at, row }, places.get(key) ?? heap.length),
    delete: remove,
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
