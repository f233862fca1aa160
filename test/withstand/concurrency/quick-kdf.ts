import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Kdf } from '../../../src/adapters/scrypt/index.js'

const HEADER = 48

/** Hashes of the form of scrypt that cost nothing, so that histories are many; what they hide is not looked at here. */
export const quickKdf: Kdf = {
  derive: async (password, { logN, r, p }) => {
    const header = Buffer.alloc(HEADER)
    header.write('scrypt\0', 'latin1')
    header.writeUInt8(logN, 7)
    header.writeUInt32BE(r, 8)
    header.writeUInt32BE(p, 12)
    randomBytes(HEADER - 16).copy(header, 16)
    await setImmediate()
    const checksum = createHash('sha256').update(header).digest().subarray(0, 16)
    return Buffer.concat([header, checksum, macOf(header, password)])
  },
  matches: async (password, hash) => {
    await setImmediate()
    return timingSafeEqual(hash.subarray(64), macOf(hash.subarray(0, HEADER), password))
  },
  matchesBcrypt: async () => false,
}

function macOf(header: Uint8Array, password: string): Buffer {
  return createHash('sha256').update(header).update(password).digest()
}
