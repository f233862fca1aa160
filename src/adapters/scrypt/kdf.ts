import * as scryptKdf from 'scrypt-kdf'
import { matchesBcrypt } from './bcrypt-hash.js'
import type { HashCost } from '../../ports/password-hasher.js'

/** The three expensive computations. Each call costs one hash; none is bounded here. */
export type Kdf = {
  /** A new hash of 96 bytes, with a fresh salt. */
  derive(password: string, cost: HashCost): Promise<Uint8Array>
  /** Obeys the parameters in the hash: check them first. */
  matches(password: string, hash: Uint8Array): Promise<boolean>
  /** The same of a bcrypt hash. */
  matchesBcrypt(password: string, hash: string): Promise<boolean>
}

// The package declares named exports and has a default one only.
const scrypt = (scryptKdf as unknown as { readonly default: typeof scryptKdf }).default

/** scrypt-kdf (OpenSSL's scrypt in libuv's thread pool) and bcryptjs. Passwords go in as UTF-8. */
export const systemKdf: Kdf = {
  derive: (password, cost) => scrypt.kdf(password, cost),
  matches: (password, hash) => scrypt.verify(hash, password),
  matchesBcrypt,
}
