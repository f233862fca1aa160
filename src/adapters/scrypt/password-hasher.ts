import type { Password, PasswordHash } from '../../domain/identity/password.js'
import type { Log } from '../../ports/log.js'
import type { HashCost, PasswordHasher, Recognised } from '../../ports/passwords.js'
import {
  hashCostError,
  isSameCost,
  workOf,
  costText,
  isVerifiable,
  isSound,
  verifiableCosts,
} from './cost.js'
import { createHashPool, type HashMetrics } from './hash-pool.js'
import * as scryptKdf from 'scrypt-kdf'
import { matchesImported, type ImportedHash, type TooCostlyHash } from '../imported-hashes/imported-hash.js'
import { createHash } from 'node:crypto'
import { readImportedHash } from '../imported-hashes/read-imported-hash.js'

/** Options of the password hasher, such as cost and concurrency. */
type ScryptHasherOptions = {
  /** Cost of new hashes and decoy hashes; stored hashes are verified only if they cost at most 4 times as much. */
  readonly cost: HashCost
  /** Maximum number of concurrent hashes; `defaultHashConcurrency` is suitable for a server. */
  readonly concurrency: number
  /** Maximum number of waiting hashes, 64 by default. */
  readonly queue?: number
  /** Receives the numbers of waiting, computed and rejected hashes. */
  readonly metrics?: HashMetrics
  /** Receives one warning if a stored hash is too costly to verify. */
  readonly log?: Pick<Log, 'warn'>
}

/** The default maximum number of waiting hashes. */
export const HASH_QUEUE = 64
const UNKNOWN: StoredHash = { kind: 'unknown' }
const TOO_COSTLY =
  'a stored password hash is too costly to verify: the account cannot log in until its password is set again'

/**
 * Creates a hasher that hashes with scrypt, and verifies scrypt hashes and hashes of other systems. Throws a RangeError if an option is out
 * of range. `kdf` is intended for callers that count or time the computations.
 */
export function createScryptHasher(options: ScryptHasherOptions, kdf: Kdf = systemKdf): PasswordHasher {
  const { cost, concurrency, queue = HASH_QUEUE, metrics, log } = options
  check(options)
  const pool = createHashPool({ concurrency, queue, metrics })
  let isNoticed = false

  function warnOnce(detail: string): void {
    if (!isNoticed) log?.warn(TOO_COSTLY, { detail })
    isNoticed = true
  }

  return {
    hash: (password) =>
      pool.run(async () => {
        if (hasNul(password)) throw new RangeError('a password must not contain U+0000')
        return writeScryptHash(await kdf.derive(password, cost)) as PasswordHash
      }),
    verify: (password, hash, sent = password) =>
      pool.run(async () => {
        const stored = hash === undefined ? UNKNOWN : readStoredHash(hash, cost)
        if (stored.kind === 'too-costly') warnOnce(`${stored.cost}; ${stored.limit}`)
        return await verify({ password, sent }, stored, { cost, kdf })
      }),
    isOutdated: (hash, password) => isOutdated(readStoredHash(hash, cost), password, cost),
    recognise: (text) => recognise(text, cost),
  }
}

function check({ cost, concurrency, queue = HASH_QUEUE }: ScryptHasherOptions): void {
  const error = hashCostError(cost)
  if (error !== undefined) throw new RangeError(`cost: ${error}`)
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError('concurrency must be at least 1')
  if (!Number.isInteger(queue) || queue < 0) throw new RangeError('queue must not be negative')
}

/** A failed verification always takes as long as one hash at the current cost, so that its duration reveals nothing about the account. */
async function verify(
  { password, sent = '' }: { readonly password: Password | undefined; readonly sent: string | undefined },
  stored: StoredHash,
  { cost, kdf }: { readonly cost: HashCost; readonly kdf: Kdf },
): Promise<boolean> {
  // scrypt pads short passwords with zero bytes, so "x" and "x" + U+0000 would have the same hash.
  const isComparable = password !== undefined && !hasNul(password)
  if (isComparable && (await matches({ password, sent }, stored, kdf))) return true
  if (!isComparable || !isAsCostly(stored, cost)) await kdf.derive('decoy', cost)
  return false
}

type Texts = { readonly password: Password; readonly sent: string }

/** Another system may have hashed the password exactly as the client sent it. */
async function matches({ password, sent }: Texts, stored: StoredHash, kdf: Kdf): Promise<boolean> {
  if (stored.kind === 'scrypt') return await kdf.matches(password, stored.bytes)
  if (stored.kind !== 'imported') return false
  if (await kdf.matchesImported(password, stored)) return true
  return sent !== password && (await kdf.matchesImported(sent, stored))
}

function isAsCostly(stored: StoredHash, cost: HashCost): boolean {
  return stored.kind === 'scrypt' && workOf(stored.cost) >= workOf(cost)
}

function isOutdated(stored: StoredHash, password: string, cost: HashCost): boolean {
  if (stored.kind === 'imported') return Buffer.byteLength(password) < (stored.readBytes ?? Infinity)
  return stored.kind !== 'scrypt' || !isSameCost(stored.cost, cost)
}

function recognise(text: string, cost: HashCost): Recognised {
  const stored = readStoredHash(text, cost)
  if (stored.kind === 'too-costly') return { kind: stored.kind, limit: stored.limit }
  if (stored.kind === 'unknown') return stored
  return { kind: 'hash', hash: (stored.kind === 'imported' ? stored.text : text) as PasswordHash }
}

function hasNul(password: Password): boolean {
  return password.includes('\u0000')
}

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

/** A parsed stored hash, or the reason why the stored hash is not usable. */
type StoredHash =
  | { readonly kind: 'scrypt'; readonly bytes: Uint8Array; readonly cost: HashCost }
  | ImportedHash
  | TooCostlyHash
  | { readonly kind: 'unknown' }

/** Parses a stored hash and checks its parameters against the configured cost, without computing a hash. */
function readStoredHash(text: string, configured: HashCost): StoredHash {
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
