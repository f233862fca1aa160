/** A cache whose values take a limited number of bytes, by their own estimate. */
export type ByteCache<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/**
 * Holds at most `limit` bytes in two generations. If the young generation is full, it becomes the old generation, and the
 * previous old generation is dropped. A value that is used moves to the young generation, so values in use stay. A value
 * that takes more than half of the limit is not cached.
 */
export function createByteCache<Key, Value extends { readonly bytes: number }>(
  limit: number,
): ByteCache<Key, Value> {
  const half = limit / 2
  let young = new Map<Key, Value>()
  let old: ReadonlyMap<Key, Value> = new Map()
  let size = 0

  function set(key: Key, value: Value): void {
    if (value.bytes > half) return
    size += value.bytes - (young.get(key)?.bytes ?? 0)
    if (size > half) {
      old = young
      young = new Map()
      size = value.bytes
    }
    young.set(key, value)
  }

  return {
    set,
    get: (key) => {
      const found = young.get(key)
      if (found !== undefined) return found
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
  }
}

const STRING_BYTES = 16
const MEMBER_BYTES = 12
const OBJECT_BYTES = 32

/** About the memory of plain data, by its members and characters. A character counts as two bytes. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return STRING_BYTES + 2 * value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = OBJECT_BYTES
  for (const member of Object.values(value)) bytes += MEMBER_BYTES + bytesOf(member)
  return bytes
}
