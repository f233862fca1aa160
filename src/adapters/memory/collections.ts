import type { PageOrder } from '../../domain/page-limit.js'
import type { Instant } from '../../domain/instant.js'

/** Creates a table of records ordered by ID, with pages found by binary search. IDs start at 1 and are never reused. */
export function createAscending<Id extends number, Row>() {
  const rows = new Map<Id, Row>()
  const ids: Id[] = []
  let last = 0

  function indexAbove(id: Id): number {
    return lowerBound(ids, (one) => one > id)
  }

  return {
    add: (make: (id: Id) => Row): Id => {
      last += 1
      const id = last as Id
      rows.set(id, make(id))
      ids.push(id)
      return id
    },
    get: (id: Id) => rows.get(id),
    replace: (id: Id, row: Row) => void rows.set(id, row),
    delete: (id: Id): boolean => {
      if (!rows.delete(id)) return false
      ids.splice(indexAbove(id) - 1, 1)
      return true
    },
    /** By default, `after` precedes the page; for `newest-first`, the page contains lower IDs in descending order. */
    page: (after: Id | undefined, limit: number, order?: PageOrder): Row[] => {
      if (order === 'newest-first') {
        const end = after === undefined ? ids.length : lowerBound(ids, (one) => one >= after)
        const page = ids.slice(Math.max(0, end - limit), end)
        return page.toReversed().flatMap((id) => rows.get(id) ?? [])
      }
      const start = after === undefined ? 0 : indexAbove(after)
      return ids.slice(start, start + limit).flatMap((id) => rows.get(id) ?? [])
    },
    all: (): Iterable<Row> => rows.values(),
  }
}

/** Returns the index of the first item for which `isPast` is true; `isPast` must also be true for all later items. */
export function lowerBound<Item>(items: readonly Item[], isPast: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isPast(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}

type Entry<Key, Row> = { readonly key: Key; readonly at: Instant; readonly row: Row }

/** Creates a table of records ordered by expiry: a binary heap with an index by key. */
export function createDeadlines<Key, Row>() {
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
    get: (key: Key): Row | undefined => {
      const position = positions.get(key)
      return position === undefined ? undefined : heap[position]?.row
    },
    /** Adds or replaces the record with this key; the record expires at `at`. */
    set: (key: Key, at: Instant, row: Row) => sift({ key, at, row }, positions.get(key) ?? heap.length),
    delete: remove,
    keys: () => positions.keys(),
    /** Removes and returns at most `limit` records that have expired by `at`, earliest first. */
    takeOver: (at: Instant, limit: number): Row[] => {
      const taken: Row[] = []
      for (let first = heap[0]; first && first.at <= at && taken.length < limit; first = heap[0]) {
        remove(first.key)
        taken.push(first.row)
      }
      return taken
    },
  }
}
