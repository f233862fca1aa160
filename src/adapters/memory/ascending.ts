import type { PageOrder } from '../../domain/page-limit.js'

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
