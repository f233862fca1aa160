import { createHash, randomBytes } from 'node:crypto'
import type { Kdf } from '../../src/adapters/scrypt/index.js'

const SALT = 16
const SALT_END = 48

/** Hashes in the format of the real ones that cost nothing: for those who log in by the thousand. */
export const cheapKdf: Kdf = {
  derive: async (password, { logN, r, p }) => {
    const hash = Buffer.alloc(96)
    hash.write('scrypt', 'latin1')
    hash.writeUInt8(logN, 7)
    hash.writeUInt32BE(r, 8)
    hash.writeUInt32BE(p, 12)
    randomBytes(SALT_END - SALT).copy(hash, SALT)
    sha256(hash.subarray(0, SALT_END)).copy(hash, SALT_END, 0, 16)
    proof(hash, password).copy(hash, 64)
    return hash
  },
  matches: async (password, hash) => proof(hash, password).equals(hash.subarray(64)),
  matchesBcrypt: () => Promise.reject(new Error('there are no such hashes here')),
}

function proof(hash: Uint8Array, password: string): Buffer {
  return createHash('sha256').update(hash.subarray(0, SALT_END)).update(password).digest()
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
