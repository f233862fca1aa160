import { createHash } from 'node:crypto'
import { inThread } from './hash-thread.js'
import { withinLimits, type ReadHash, decoded } from './imported-hash.js'
import { DIGITS } from './in-thread/crypt.js'

// The last character of an encoded MD5 digest has only 2 significant bits.
const PHPASS = /^\$[PH]\$(?<log>[./0-9A-Za-z])(?<salt>[./0-9A-Za-z]{8})(?<digest>[./0-9A-Za-z]{21}[./01])$/u
const DRUPAL = /^U?\$S\$(?<log>[./0-9A-Za-z])(?<salt>[./0-9A-Za-z]{8})(?<digest>[./0-9A-Za-z]{43})$/u

/** Reads a portable hash of phpass (`$P$`; `$H$` of phpBB), as in WordPress before 6.8. */
export function readPhpass(text: string): ReadHash {
  return read(text, PHPASS, 'md5', (password) => password)
}

/** Reads a hash of Drupal 7 to 10: `$S$`, or `U$S$` if Drupal rehashed an MD5 digest from an older Drupal version. */
export function readDrupal(text: string): ReadHash {
  const prepared = text.startsWith('U')
    ? (password: string) => createHash('md5').update(password).digest('hex')
    : (password: string) => password
  return read(text, DRUPAL, 'sha512', prepared)
}

function read(
  text: string,
  format: RegExp,
  algorithm: 'md5' | 'sha512',
  prepared: (password: string) => string,
): ReadHash {
  const { log, salt, digest } = format.exec(text)?.groups ?? {}
  if (log === undefined || salt === undefined || digest === undefined) return undefined
  const logRounds = DIGITS.indexOf(log)
  const { length } = digest
  return withinLimits(
    algorithm === 'md5' ? 'phpass' : 'Drupal',
    { 'log2(rounds)': [7, logRounds, 16] },
    {
      text,
      expected: Buffer.from(digest),
      derive: (password) =>
        inThread({
          kind: 'phpass',
          algorithm,
          password: prepared(password),
          salt,
          rounds: 2 ** logRounds,
          length,
        }),
    },
  )
}

// The last character of an encoded digest has 4 significant bits for SHA-256, and 2 for SHA-512.
const SHA_256 =
  /^\$5\$(?:rounds=(?<rounds>[1-9]\d{0,8})\$)?(?<salt>[./0-9A-Za-z]{1,16})\$(?<digest>[./0-9A-Za-z]{42}[./0-9A-D])$/u
const SHA_512 =
  /^\$6\$(?:rounds=(?<rounds>[1-9]\d{0,8})\$)?(?<salt>[./0-9A-Za-z]{1,16})\$(?<digest>[./0-9A-Za-z]{85}[./01])$/u

const DEFAULT_ROUNDS = 5_000

/** Reads a hash of SHA-256-crypt (`$5$`) or SHA-512-crypt (`$6$`), as in `/etc/shadow`. */
export function readShaCrypt(text: string): ReadHash {
  const algorithm = text.startsWith('$5$') ? 'sha256' : 'sha512'
  const { rounds, salt, digest } = (SHA_256.exec(text) ?? SHA_512.exec(text))?.groups ?? {}
  if (salt === undefined || digest === undefined) return undefined
  const count = rounds === undefined ? DEFAULT_ROUNDS : Number(rounds)
  return withinLimits(
    'SHA-crypt',
    { rounds: [1_000, count, 1_000_000] },
    {
      text,
      expected: Buffer.from(digest),
      derive: (password) => inThread({ kind: 'sha-crypt', algorithm, password, salt, rounds: count }),
    },
  )
}

const ALGORITHMS = {
  '{SSHA}': ['sha1', 20],
  '{SSHA256}': ['sha256', 32],
  '{SSHA512}': ['sha512', 64],
} as const

/** Maximum length of a salt in bytes. */
const SALT_MAX = 64

/** Reads a salted SHA hash from an LDAP directory: `{SSHA}`, `{SSHA256}` or `{SSHA512}`, followed by the digest and the salt in base64. */
export function readSaltedSha(text: string): ReadHash {
  const scheme = /^\{SSHA(?:256|512)?\}/u.exec(text)?.[0]
  if (scheme === undefined) return undefined
  const [algorithm, length] = ALGORITHMS[scheme as keyof typeof ALGORITHMS]
  const bytes = decoded(text.slice(scheme.length))
  if (!bytes || bytes.length <= length || bytes.length > length + SALT_MAX) return undefined
  const salt = bytes.subarray(length)
  return {
    ...{ kind: 'imported', text, expected: bytes.subarray(0, length) },
    derive: async (password) => createHash(algorithm).update(password).update(salt).digest(),
  }
}
