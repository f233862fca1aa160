import type { PageOrder } from '../../ports/page-order.js'

/** Rows under ids that only ever grow, so that a page is found by binary search. */
export type Ascending<Id extends number, Row> = {
  /** Keeps the row that `make` gives for the next id; ids start at 1 and are never given twice. */
  add(make: (id: Id) => Row): Id
  get(id: Id): Row | undefined
  /** Takes the place of the row of an id that is there. */
  replace(id: Id, row: Row): void
  delete(id: Id): boolean
  /** Rows with an id above `after`, ascending, at most `limit`; newest first those below it, descending. */
  page(after: Id | undefined, limit: number, order?: PageOrder): Row[]
  all(): Iterable<Row>
}

export function createAscending<Id extends number, Row>(): Ascending<Id, Row> {
  const rows = new Map<Id, Row>()
  const ids: Id[] = []
  let last = 0

  /** Index of the first id above `id`. */
  function above(id: Id): number {
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
      ids.splice(above(id) - 1, 1)
      return true
    },
    page(after, limit, order) {
      if (order === 'newest-first') {
        const end = after === undefined ? ids.length : lowerBound(ids, (one) => one >= after)
        const page = ids.slice(Math.max(0, end - limit), end)
        return page.toReversed().flatMap((id) => rows.get(id) ?? [])
      }
      const start = after === undefined ? 0 : above(after)
      return ids.slice(start, start + limit).flatMap((id) => rows.get(id) ?? [])
    },
    all: () => rows.values(),
  }
}

/** Where the first of them lies that is past, by binary search: none before it is, all after it are. */
export function lowerBound<Item>(items: readonly Item[], isPast: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    // `middle` is below the length, so there is an item; it may be anything, `undefined` too.
    if (isPast(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}
