import type { PageOrder } from '../../domain/page-limit.js'
import type { Instant } from '../../domain/instant.js'

/** Records ordered by ID, with pages found by binary search. */
export type Ascending<Id extends number, Row> = {
  /** Adds the record that `make` returns for the next ID. IDs start at 1 and are never reused. */
  add(make: (id: Id) => Row): Id
  get(id: Id): Row | undefined
  replace(id: Id, row: Row): void
  delete(id: Id): boolean
  /**
   * Returns at most `limit` records: by default those with IDs above `after` in ascending order; for `newest-first`, those with IDs below
   * `after` in descending order.
   */
  page(after: Id | undefined, limit: number, order?: PageOrder): Row[]
  all(): Iterable<Row>
}

export function createAscending<Id extends number, Row>(): Ascending<Id, Row> {
  const rows = new Map<Id, Row>()
  const ids: Id[] = []
  let last = 0

  function indexAbove(id: Id): number {
    return lowerBound(ids, (one) => one > id)
  }

  return {
    add(make) {
      last += 1
      const id = last as Id
      rows.set(id, make(id))
      ids.push(id)
      return id
    },
    get: (id) => rows.get(id),
    replace: (id, row) => void rows.set(id, row),
    delete(id) {
      if (!rows.delete(id)) return false
      ids.splice(indexAbove(id) - 1, 1)
      return true
    },
    page(after, limit, order) {
      if (order === 'newest-first') {
        const end = after === undefined ? ids.length : lowerBound(ids, (one) => one >= after)
        const page = ids.slice(Math.max(0, end - limit), end)
        return page.toReversed().flatMap((id) => rows.get(id) ?? [])
      }
      const start = after === undefined ? 0 : indexAbove(after)
      return ids.slice(start, start + limit).flatMap((id) => rows.get(id) ?? [])
    },
    all: () => rows.values(),
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
