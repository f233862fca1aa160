/** A cache whose values take a limited number of bytes, by their own estimate. */
export type ByteCache<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/** The part that is kept when values are removed: one removal costs as much as a search of the Map. */
const KEPT = 7 / 8

/**
 * Holds at most `limit` bytes. If they are exceeded, an eighth goes: the oldest values, except values that were used since
 * the last removal. A value that takes more than the limit is not cached.
 */
export function createByteCache<Key, Value extends { readonly bytes: number }>(
  limit: number,
): ByteCache<Key, Value> {
  /** From the oldest to the newest. A use only sets a mark: moving the entry would make the Map grow with each use. */
  const entries = new Map<Key, { readonly value: Value; isUsed: boolean }>()
  let size = 0

  function remove(key: Key): void {
    const entry = entries.get(key)
    if (!entry) return
    size -= entry.value.bytes
    entries.delete(key)
  }

  function add(key: Key, value: Value): void {
    entries.set(key, { value, isUsed: false })
    size += value.bytes
  }

  function removeOldest(): void {
    for (const [key, { value, isUsed }] of entries) {
      if (size <= limit * KEPT) return
      remove(key)
      if (isUsed) add(key, value)
    }
  }

  return {
    get: (key) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      entry.isUsed = true
      return entry.value
    },
    set: (key, value) => {
      remove(key)
      if (value.bytes > limit) return
      add(key, value)
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
