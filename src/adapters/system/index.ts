import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Randomness, Digest } from '../../ports/system.js'

/** The wall clock. The wall clock may be set back, so no cache lifetime should depend on it. */
export const systemClock: Clock = () => Date.now()

/** Random values from the operating system's cryptographic source, through `node:crypto`. */
export const systemRandomness: Randomness = {
  base64url: (bytes) => fromPool(bytes).toString('base64url'),
  uuid: () => randomUUID(),
}

/**
 * Number of random bytes to read in advance, because one call to the source costs as much as generating 4,096 bytes. `randomUUID` also
 * reads in advance.
 */
const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)

/** Returns bytes from the pool; each byte is used only once. */
function fromPool(bytes: number): Buffer {
  if (bytes > POOL_BYTES) return randomBytes(bytes)
  if (bytes > pool.length) pool = randomBytes(POOL_BYTES)
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  return taken
}

/** SHA-256 of several strings; a line feed follows each string, so that two strings and their concatenation have different digests. */
export const systemDigest: Digest = () => {
  const hash = createHash('sha256')
  return {
    update(text) {
      hash.update(text).update('\n')
    },
    end: () => hash.digest('hex'),
  }
}
