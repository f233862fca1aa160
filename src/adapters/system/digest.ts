import { createHash } from 'node:crypto'
import type { Digest } from '../../ports/digest.js'

/** SHA-256; each text is followed by a line feed, so that two texts are not one. */
export const systemDigest: Digest = () => {
  const hash = createHash('sha256')
  return {
    update(text) {
      hash.update(text).update('\n')
    },
    end: () => hash.digest('hex'),
  }
}
