/** A cache whose values take a limited number of bytes, by their own estimate. */
export type ByteCache<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/** The part that is kept when the oldest values are removed: one removal costs as much as a search of the Map. */
const KEPT = 7 / 8

/**
 * Holds at most `limit` bytes: if they are exceeded, the values that were not used for the longest time go, an eighth
 * together. A value that takes more than the limit is not cached.
 */
export function createByteCache<Key, Value extends { readonly bytes: number }>(
  limit: number,
): ByteCache<Key, Value> {
  /** From the value that was not used for the longest time to the last used value. */
  const values = new Map<Key, Value>()
  let size = 0

  function remove(key: Key): void {
    size -= values.get(key)?.bytes ?? 0
    values.delete(key)
  }

  function removeOldest(): void {
    for (const key of values.keys()) {
      if (size <= limit * KEPT) return
      remove(key)
    }
  }

  return {
    get: (key) => {
      const found = values.get(key)
      if (found === undefined) return undefined
      values.delete(key)
      values.set(key, found)
      return found
    },
    set: (key, value) => {
      remove(key)
      if (value.bytes > limit) return
      values.set(key, value)
      size += value.bytes
      if (size > limit) removeOldest()
    },
  }
}

const STRING_BYTES = 16
const MEMBER_BYTES = 12
const OBJECT_BYTES = 32

/** About the memory of plain data, by its members and characters. V8 keeps Latin letters in a byte each. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return STRING_BYTES + value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = OBJECT_BYTES
  for (const member of Object.values(value)) bytes += MEMBER_BYTES + bytesOf(member)
  return bytes
}
