/** A cache whose values take a limited number of bytes, by their own estimate. */
export type ByteCache<Key, Value> = {
  get(key: Key): Value | undefined
  /**
   * Whether a new key should be set. A cache that was full once admits a key at its second call, if few other keys were
   * refused since the first: adding and removing a value that is not used in between costs more than it saves.
   */
  admits(key: Key): boolean
  set(key: Key, value: Value): void
}

/** The part that is kept when values are removed: one removal costs as much as a search of the Map. */
const KEPT = 7 / 8

/** `admits` remembers 16,384 keys by their hashes: some more than a cache holds. Each list has the last keys with equal remainders. */
const LISTS = 512
const LIST_LENGTH = 32

/**
 * Holds at most `limit` bytes. If they are exceeded, an eighth goes: the oldest values, except values that were used since
 * the last removal. A value that takes more than the limit is not cached.
 */
export function createByteCache<Key extends string | number, Value extends { readonly bytes: number }>(
  limit: number,
): ByteCache<Key, Value> {
  /** From the oldest to the newest. A use only sets a mark: moving the entry would make the Map grow with each use. */
  const entries = new Map<Key, { readonly value: Value; isUsed: boolean }>()
  let size = 0
  /** The hashes of keys that were not admitted, once the cache was full. */
  let refused: Uint32Array | undefined

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
    refused ??= new Uint32Array(LISTS * LIST_LENGTH)
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
    admits: (key) => {
      if (!refused) return true
      const hash = hashOf(key)
      const start = (hash % LISTS) * LIST_LENGTH
      const list = refused.subarray(start, start + LIST_LENGTH)
      if (list.includes(hash)) return true
      list.copyWithin(1, 0)
      list[0] = hash
      return false
    },
    set: (key, value) => {
      remove(key)
      if (value.bytes > limit) return
      add(key, value)
      if (size > limit) removeOldest()
    },
  }
}

/** FNV-1a of the last characters, which differ most in digests, signatures and numbers. */
function hashOf(key: string | number): number {
  const text = String(key)
  let hash = 0x811c9dc5
  for (let at = Math.max(0, text.length - 12); at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
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
