import type { Password, PasswordHash } from '../../domain/identity/password.js'
import type { Log } from '../../ports/log.js'
import type { HashCost, PasswordHasher, Recognised } from '../../ports/passwords.js'
import { hashCostError, isSameCost, workOf } from './cost.js'
import { createHashPool, type HashMetrics } from './hash-pool.js'
import { systemKdf, type Kdf } from './kdf.js'
import { writeScryptHash, readStoredHash, type StoredHash } from './stored-hash.js'

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

/** Returns whether the computation was at least as expensive as a decoy hash. */
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
