// Reads and verifies SHA-crypt hashes; `read-imported-hash.ts` selects this reader.
import { inThread } from './hash-thread.js'
import { withinLimits, type ReadHash } from './imported-hash.js'

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
