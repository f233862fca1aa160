import type { Instant } from '../../domain/instant.js'

/** Keys in the order of the moment when each is over: a binary heap that knows where each key is. */
export type Deadlines<Key> = {
  /** The key is over at `at`; an earlier word on it is forgotten. */
  set(key: Key, at: Instant): void
  delete(key: Key): void
  /** Takes out the keys that are over at `at`, the longest over first, at most `limit`. */
  takeOver(at: Instant, limit: number): Key[]
}

type Entry<Key> = { readonly key: Key; readonly at: Instant }

export function createDeadlines<Key>(): Deadlines<Key> {
  const heap: Entry<Key>[] = []
  const places = new Map<Key, number>()

  function put(entry: Entry<Key>, place: number): void {
    heap[place] = entry
    places.set(entry.key, place)
  }

  function rise(entry: Entry<Key>, from: number): void {
    let place = from
    while (place > 0) {
      const above = heap[(place - 1) >>> 1]
      if (above === undefined || above.at <= entry.at) break
      put(above, place)
      place = (place - 1) >>> 1
    }
    put(entry, place)
  }

  function sink(entry: Entry<Key>, from: number): void {
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

  function settle(entry: Entry<Key>, place: number): void {
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
    set: (key, at) => settle({ key, at }, places.get(key) ?? heap.length),
    delete: remove,
    takeOver(at, limit) {
      const taken: Key[] = []
      for (let first = heap[0]; first && first.at <= at && taken.length < limit; first = heap[0]) {
        remove(first.key)
        taken.push(first.key)
      }
      return taken
    },
  }
}
