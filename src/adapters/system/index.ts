import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../ports/clock.js'
import type { Digest } from '../../ports/digest.js'
import type { Randomness } from '../../ports/randomness.js'

/** The wall clock. It may be set back, so no lifetime of a cache should depend on it. */
export const systemClock: Clock = () => Date.now()

/** The operating system's cryptographic source, through `node:crypto`. */
export const systemRandomness: Randomness = {
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
  uuid: () => randomUUID(),
}

/** SHA-256; a line feed follows each text, so that two texts and their concatenation have different digests. */
export const systemDigest: Digest = () => {
  const hash = createHash('sha256')
  return {
    update(text) {
      hash.update(text).update('\n')
    },
    end: () => hash.digest('hex'),
  }
}
