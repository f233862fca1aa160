import * as scryptKdf from 'scrypt-kdf'
import { matchesBcrypt } from './bcrypt-hash.js'
import type { HashCost } from '../../ports/password-hasher.js'

/** The expensive computations: one hash for each call, without a limit. */
export type Kdf = {
  /** Returns a new hash of 96 bytes with a fresh salt. */
  derive(password: string, cost: HashCost): Promise<Uint8Array>
  /** Uses the parameters in the hash: check them first. */
  matches(password: string, hash: Uint8Array): Promise<boolean>
  matchesBcrypt(password: string, hash: string): Promise<boolean>
}

// The package declares named exports but has only a default export.
const scrypt = (scryptKdf as unknown as { readonly default: typeof scryptKdf }).default

/** scrypt-kdf (OpenSSL's scrypt in the thread pool of libuv) and bcryptjs. Passwords are UTF-8. */
export const systemKdf: Kdf = {
  derive: (password, cost) => scrypt.kdf(password, cost),
  matches: (password, hash) => scrypt.verify(hash, password),
  matchesBcrypt,
}
