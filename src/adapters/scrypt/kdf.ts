import * as scryptKdf from 'scrypt-kdf'
import type { HashCost } from '../../ports/passwords.js'
import { matchesImported, type ImportedHash } from '../imported-hashes/imported-hash.js'

/** Computes password hashes without a limit on concurrency; each call computes one hash. */
export type Kdf = {
  /** Returns a new 96-byte hash with a fresh salt. */
  derive(password: string, cost: HashCost): Promise<Uint8Array>
  /** Uses the parameters in the hash, so the caller must check them first. */
  matches(password: string, hash: Uint8Array): Promise<boolean>
  matchesImported(password: string, hash: ImportedHash): Promise<boolean>
}

// The type declarations of the package have named exports, but at run time there is only a default export.
const scrypt = (scryptKdf as unknown as { readonly default: typeof scryptKdf }).default

/**
 * Hashes with scrypt-kdf (OpenSSL's scrypt in libuv's thread pool), and verifies imported hashes with their own algorithms. Passwords are
 * encoded as UTF-8.
 */
export const systemKdf: Kdf = {
  derive: (password, cost) => scrypt.kdf(password, cost),
  matches: (password, hash) => scrypt.verify(hash, password),
  matchesImported,
}
