import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Randomness, Digest } from '../../ports/system.js'

/** The wall clock. The wall clock may be set back, so no cache lifetime should depend on it. */
export const systemClock: Clock = () => Date.now()

/** Random values from the operating system's cryptographic source, through `node:crypto`. */
export const systemRandomness: Randomness = {
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
  uuid: () => randomUUID(),
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
