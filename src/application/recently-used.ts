/** Values by a text, at most as many as were asked for: the least recently used one goes first. */
export type RecentlyUsed<V> = {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
}

/** A `Map` keeps the order of insertion, so what is used is inserted anew. */
export function createRecentlyUsed<V extends object | number>(size: number): RecentlyUsed<V> {
  const values = new Map<string, V>()
  const renew = (key: string, value: V) => {
    values.delete(key)
    values.set(key, value)
  }
  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) renew(key, value)
      return value
    },
    set(key, value) {
      renew(key, value)
      for (const oldest of values.keys()) {
        if (values.size <= size) break
        values.delete(oldest)
      }
    },
    delete: (key) => void values.delete(key),
  }
}
