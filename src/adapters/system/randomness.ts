import { randomBytes, randomUUID } from 'node:crypto'
import type { Randomness } from '../../ports/randomness.js'

/** The operating system's cryptographic source, through `node:crypto`. */
export const systemRandomness: Randomness = {
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
  uuid: () => randomUUID(),
}
