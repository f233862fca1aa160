/** The fraction of the limit that remains after a removal. Each removal searches the Map, so values are removed in bulk. */
const KEPT = 7 / 8

/** `admits` remembers the hashes of 16,384 keys, more than a cache holds. `hash % LISTS` selects the list. */
const LISTS = 512
const LIST_LENGTH = 32

/**
 * Creates a cache for database rows and tokens, of at most `limit` bytes; each value reports its own size. When the limit is exceeded, an
 * eighth of the limit is freed: the oldest values are removed, except values that were used since the last removal. A value larger than the
 * limit is not cached.
 */
export function createByteCache<Key extends string | number, Value extends { readonly bytes: number }>(
  limit: number,
) {
  /** The entries, oldest first. `get` sets a flag instead of moving the entry, because moving entries would make the Map grow. */
  const entries = new Map<Key, { readonly value: Value; isUsed: boolean }>()
  let size = 0
  /** The hashes of rejected keys; `undefined` until the cache is full for the first time. */
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
    get: (key: Key): Value | undefined => {
      const entry = entries.get(key)
      if (!entry) return undefined
      entry.isUsed = true
      return entry.value
    },
    /**
     * Returns whether a new key should be cached. Once the cache has been full, a key is admitted only on its second call, and only if few
     * other keys were rejected since its first call. Caching a value that is removed before it is used costs more than it saves.
     */
    admits: (key: Key): boolean => {
      if (!refused) return true
      const hash = hashOf(key)
      const start = (hash % LISTS) * LIST_LENGTH
      const list = refused.subarray(start, start + LIST_LENGTH)
      if (list.includes(hash)) return true
      list.copyWithin(1, 0)
      list[0] = hash
      return false
    },
    set: (key: Key, value: Value): void => {
      remove(key)
      if (value.bytes > limit) return
      add(key, value)
      if (size > limit) removeOldest()
    },
  }
}

/** Returns the FNV-1a hash of the last characters, which differ most in digests, signatures and numbers. */
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

/** Estimates the memory of plain data from its members and characters. V8 stores each Latin letter in one byte. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return STRING_BYTES + value.length
  if (typeof value !== 'object' || value === null) return 0
  let bytes = OBJECT_BYTES
  for (const member of Object.values(value)) bytes += MEMBER_BYTES + bytesOf(member)
  return bytes
}
