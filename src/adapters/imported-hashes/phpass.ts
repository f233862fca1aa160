// Reads and verifies hashes of phpass and Drupal; `read-imported-hash.ts` selects these readers.
import { createHash } from 'node:crypto'
import { inThread } from './hash-thread.js'
import { withinLimits, type ReadHash } from './imported-hash.js'
import { DIGITS } from './in-thread/encode64.js'

// The last character of an encoded MD5 digest has only 2 significant bits.
const PHPASS = /^\$[PH]\$(?<log>[./0-9A-Za-z])(?<salt>[./0-9A-Za-z]{8})(?<digest>[./0-9A-Za-z]{21}[./01])$/u
const DRUPAL = /^U?\$S\$(?<log>[./0-9A-Za-z])(?<salt>[./0-9A-Za-z]{8})(?<digest>[./0-9A-Za-z]{43})$/u

/** Reads a portable hash of phpass (`$P$`; `$H$` of phpBB), as in WordPress before 6.8. */
export function readPhpass(text: string): ReadHash {
  return read(text, PHPASS, 'md5', (password) => password)
}

/** Reads a hash of Drupal 7 to 10: `$S$`, or `U$S$` if Drupal hashed the MD5 digest of an older version again. */
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
