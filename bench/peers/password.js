import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** The cost that Kennel has by default: 2^17, 8, 1, which needs 128 MiB. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const KEY_LENGTH = 32
const derive = promisify(scrypt)

export async function hashPassword(password) {
  const salt = randomBytes(16)
  const key = await derive(password, salt, KEY_LENGTH, COST)
  return `${salt.toString('base64')}:${key.toString('base64')}`
}

export async function verifyPassword(password, hash) {
  const [salt, key] = hash.split(':').map((part) => Buffer.from(part, 'base64'))
  return timingSafeEqual(await derive(password, salt, KEY_LENGTH, COST), key)
}

let first
/** For thousands of accounts: hashes only the first password and returns that hash for all others. */
export function hashFirstPassword(password) {
  first ??= hashPassword(password)
  return first
}
