import { createHash, createHmac, scryptSync } from 'node:crypto'
import type { Password, PasswordHash } from '../../src/domain/identity/password.js'
import type { HashCost } from '../../src/ports/passwords.js'

/** The lowest allowed cost, so that hashing takes only a few milliseconds. */
export const COST: HashCost = { logN: 10, r: 1, p: 1 }

export function password(text: string): Password {
  return text as Password
}

/** Creates the header of a stored hash (64 bytes) with a valid checksum, for any parameters. */
function header({ logN, r, p }: HashCost, magic = 'scrypt'): Buffer {
  const head = Buffer.alloc(64)
  head.write(magic, 'latin1')
  head.writeUInt8(logN, 7)
  head.writeUInt32BE(r, 8)
  head.writeUInt32BE(p, 12)
  head.fill('salt of these tests', 16, 48)
  createHash('sha256').update(head.subarray(0, 48)).digest().copy(head, 48, 0, 16)
  return head
}

/** Creates a hash in scrypt-kdf's documented format, without the package. */
export function storedHash(text: string, cost: HashCost): PasswordHash {
  const head = header(cost)
  const key = scryptSync(text, head.subarray(16, 48), 64, { N: 2 ** cost.logN, r: cost.r, p: cost.p })
  const mac = createHmac('sha256', key.subarray(32)).update(head).digest()
  return Buffer.concat([head, mac]).toString('base64') as PasswordHash
}

/** Creates a fake hash: only its header is valid. */
export function pretendedHash(cost: HashCost, magic?: string): PasswordHash {
  return Buffer.concat([header(cost, magic), Buffer.alloc(32, 7)]).toString('base64') as PasswordHash
}

export function damaged(hash: PasswordHash, place: number): PasswordHash {
  const bytes = Buffer.from(hash, 'base64')
  bytes.writeUInt8(bytes.readUInt8(place) ^ 0xff, place)
  return bytes.toString('base64') as PasswordHash
}
