import { bcryptCost } from './bcrypt-hash.js'
import type { HashCost } from '../../ports/password-hasher.js'
import { costText, isVerifiable } from './cost.js'
import { readScryptHash } from './scrypt-hash.js'

/** What is in a place for a hash. */
export type StoredHash =
  | { readonly kind: 'scrypt'; readonly bytes: Uint8Array; readonly cost: HashCost }
  | { readonly kind: 'bcrypt'; readonly text: string }
  /** Well formed, but dearer than what is verified; `cost` in words. */
  | { readonly kind: 'too-costly'; readonly cost: string }
  | { readonly kind: 'unknown' }

/** More takes a second and longer. */
export const BCRYPT_COST_MAX = 14

/** Reads a hash and judges its parameters by the configured cost, before anything is computed. */
export function readStoredHash(text: string, configured: HashCost): StoredHash {
  const scrypt = readScryptHash(text)
  if (scrypt !== undefined) {
    if (isVerifiable(scrypt.cost, configured)) return { kind: 'scrypt', ...scrypt }
    return { kind: 'too-costly', cost: `scrypt ${costText(scrypt.cost)}` }
  }
  const bcrypt = bcryptCost(text)
  if (bcrypt === undefined) return { kind: 'unknown' }
  return bcrypt <= BCRYPT_COST_MAX
    ? { kind: 'bcrypt', text }
    : { kind: 'too-costly', cost: `bcrypt ${bcrypt}` }
}
