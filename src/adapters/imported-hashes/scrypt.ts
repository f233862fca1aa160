// Reads and verifies scrypt hashes of other systems; `read-imported-hash.ts` selects this reader.
import { scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { decoded, decodedDigest, withinLimits, type ImportedHash, type ReadHash } from './imported-hash.js'

const compute = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

/** Node's memory limit for one hash; the parameters have stricter limits. */
const MEMORY_MAX = 2 ** 28
const LOG_N_MAX = 17

type ScryptParameters = { readonly N: number; readonly r: number; readonly p: number }

/** Computes scrypt in libuv's thread pool. */
export function deriveScrypt(
  password: string,
  salt: Uint8Array,
  length: number,
  parameters: ScryptParameters,
): Promise<Buffer> {
  return compute(password, salt, length, { ...parameters, maxmem: MEMORY_MAX })
}

/** Returns the hash if N, r and p are within the limits. */
export function scryptHash({ N, r, p }: ScryptParameters, hash: Omit<ImportedHash, 'kind'>): ReadHash {
  // scrypt requires N to be a power of two below 2^(128 · r / 8) (RFC 7914, 2).
  const logN = Math.log2(N)
  if (!Number.isInteger(logN) || logN >= 16 * r) return undefined
  return withinLimits('scrypt', { ln: [1, logN, LOG_N_MAX], r: [1, r, 8], p: [1, p, 10] }, hash)
}

const PHC =
  /^\$scrypt\$ln=(?<ln>\d{1,10}),r=(?<r>\d{1,10}),p=(?<p>\d{1,10})\$(?<salt>[^$]+)\$(?<digest>[^$]+)$/u

/** A larger value of `ln` is N itself and not its logarithm: Ory writes `ln=16384`, and other systems write `ln=14`. */
const LOGARITHM_MAX = 63

/** Reads a scrypt hash in the format of Ory or passlib: `$scrypt$ln=14,r=8,p=1$salt$digest`. */
export function readScrypt(text: string): ReadHash {
  const { ln, r, p, salt: encoded, digest } = PHC.exec(text)?.groups ?? {}
  const salt = decoded(encoded)
  const expected = decodedDigest(digest)
  if (!salt || !expected) return undefined
  const N = Number(ln) > LOGARITHM_MAX ? Number(ln) : 2 ** Number(ln)
  const parameters = { N, r: Number(r), p: Number(p) }
  const derive = (password: string) => deriveScrypt(password, salt, expected.length, parameters)
  return scryptHash(parameters, { text, expected, derive })
}

const HEX = /^(?:s2:)?(?<salt>[0-9A-Za-z]{8,64}):(?<digest>[0-9a-f]{128})$/u
const HEX_PARAMETERS = { N: 16_384, r: 16, p: 1 }

/**
 * Reads a hash of Better Auth or Lucia: `salt:digest`, or `s2:salt:digest` of Lucia 2. Salt and digest are hexadecimal. Only the digest is
 * decoded; the salt is used as a string. The parameters are fixed: N 16,384, r 16, p 1.
 */
export function readBetterAuth(text: string): ReadHash {
  const { salt, digest } = HEX.exec(text)?.groups ?? {}
  if (salt === undefined || digest === undefined) return undefined
  const expected = Buffer.from(digest, 'hex')
  const derive = (password: string) =>
    deriveScrypt(password, Buffer.from(salt), expected.length, HEX_PARAMETERS)
  return { kind: 'imported', text, expected, derive }
}
