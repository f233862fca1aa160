import { createHash } from 'node:crypto'
import type { HashCost } from '../../ports/passwords.js'
import type { ImportedHash, TooCostlyHash } from '../imported-hashes/imported-hash.js'
import { readImportedHash } from '../imported-hashes/read-imported-hash.js'
import { costText, isVerifiable, isSound, verifiableCosts } from './cost.js'

/** A parsed stored hash, or the reason why the stored hash is not usable. */
export type StoredHash =
  | { readonly kind: 'scrypt'; readonly bytes: Uint8Array; readonly cost: HashCost }
  | ImportedHash
  | TooCostlyHash
  | { readonly kind: 'unknown' }

/** Parses a stored hash and checks its parameters against the configured cost, without computing a hash. */
export function readStoredHash(text: string, configured: HashCost): StoredHash {
  const scrypt = readScryptHash(text)
  if (scrypt !== undefined) {
    if (isVerifiable(scrypt.cost, configured)) return { kind: 'scrypt', ...scrypt }
    const cost = `scrypt ${costText(scrypt.cost)}`
    return { kind: 'too-costly', cost, limit: verifiableCosts(configured) }
  }
  return readImportedHash(text) ?? { kind: 'unknown' }
}

/** A stored scrypt hash with a valid header. The cost may be so high that the hash must not be computed. */
type ScryptHash = { readonly bytes: Uint8Array; readonly cost: HashCost }

// 96 bytes: magic (6), version (1), logN (1), r (4), p (4), salt (32), checksum (16), MAC (32).
const BASE64_OF_96_BYTES = /^[A-Za-z0-9+/]{128}$/u
const MAGIC = Buffer.from('scrypt\u0000', 'latin1')
const CHECKED = 48
const CHECKSUM_END = 64

/**
 * Parses the base64 form of a scrypt-kdf hash. Returns `undefined` if scrypt-kdf would reject the string or a parameter is below its
 * minimum. scrypt-kdf would use up to 2 GiB, so the caller must check the cost first.
 */
function readScryptHash(text: string): ScryptHash | undefined {
  if (!BASE64_OF_96_BYTES.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  const checksum = createHash('sha256').update(bytes.subarray(0, CHECKED)).digest()
  if (!checksum.subarray(0, CHECKSUM_END - CHECKED).equals(bytes.subarray(CHECKED, CHECKSUM_END))) {
    return undefined
  }
  const cost = { logN: bytes.readUInt8(7), r: bytes.readUInt32BE(8), p: bytes.readUInt32BE(12) }
  return isSound(cost) ? { bytes: Uint8Array.from(bytes), cost } : undefined
}

export function writeScryptHash(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
