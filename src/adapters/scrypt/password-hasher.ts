import type { Password, PasswordHash } from '../../domain/identity/password.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import { isBcryptHash } from './bcrypt-hash.js'
import { hashCostFault, type HashCost } from './cost.js'
import { createHashPool, type HashMetrics } from './hash-pool.js'
import { systemKdf, type Kdf } from './kdf.js'
import { readScryptHash, writeScryptHash } from './scrypt-hash.js'

/** What hashes cost, and how many are computed at once. */
export type ScryptHasherOptions = {
  /** Of new hashes and of decoys. */
  readonly cost: HashCost
  /** Hashes computed at once; `defaultHashConcurrency` suits a server. */
  readonly concurrency: number
  /** Hashes that may wait, 64 by default. */
  readonly queue?: number
  /** Is told how many wait, how long they waited and took, and which were refused. */
  readonly metrics?: HashMetrics
}

const QUEUE = 64

/**
 * Hashes with scrypt, verifies scrypt and bcrypt. Throws a RangeError for options out of
 * bounds. `kdf` is for whoever wants to count or to time the computations.
 */
export function createScryptHasher(options: ScryptHasherOptions, kdf: Kdf = systemKdf): PasswordHasher {
  const { cost, concurrency, queue = QUEUE, metrics } = options
  check(options)
  const pool = createHashPool({ concurrency, queue, metrics })
  return {
    hash: (password) =>
      pool.run(async () => {
        if (hasNul(password)) throw new RangeError('a password must not contain U+0000')
        return writeScryptHash(await kdf.derive(password, cost)) as PasswordHash
      }),
    verify: (password, hash) => pool.run(() => verify(password, hash, cost, kdf)),
    isOutdated: (hash) => !isCurrent(hash, cost),
    recognise: (text) => (isKnown(text) ? (text as PasswordHash) : undefined),
  }
}

function check({ cost, concurrency, queue = QUEUE }: ScryptHasherOptions): void {
  const fault = hashCostFault(cost)
  if (fault !== undefined) throw new RangeError(`cost: ${fault}`)
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError('concurrency must be at least 1')
  if (!Number.isInteger(queue) || queue < 0) throw new RangeError('queue must not be negative')
}

/** Every way through it computes exactly one hash. */
async function verify(
  password: Password | undefined,
  hash: PasswordHash | undefined,
  cost: HashCost,
  kdf: Kdf,
): Promise<boolean> {
  const scrypt = hash === undefined ? undefined : readScryptHash(hash)
  // scrypt pads a short password with zeros, so "x" and "x" + U+0000 would be the same one.
  if (password === undefined || hash === undefined || hasNul(password)) return await decoy(cost, kdf)
  if (scrypt !== undefined) return await kdf.matches(password, scrypt.bytes)
  if (isBcryptHash(hash)) return await kdf.matchesBcrypt(password, hash)
  return await decoy(cost, kdf)
}

async function decoy(cost: HashCost, kdf: Kdf): Promise<false> {
  await kdf.derive('decoy', cost)
  return false
}

function isCurrent(hash: PasswordHash, cost: HashCost): boolean {
  const stored = readScryptHash(hash)?.cost
  return stored?.logN === cost.logN && stored.r === cost.r && stored.p === cost.p
}

function isKnown(text: string): boolean {
  return readScryptHash(text) !== undefined || isBcryptHash(text)
}

function hasNul(password: Password): boolean {
  return password.includes('\u0000')
}
