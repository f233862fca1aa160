import { scrypt, type ScryptOptions, createCipheriv } from 'node:crypto'
import { promisify } from 'node:util'
import { decoded, decodedDigest, withinLimits, type ImportedHash, type ReadHash } from './imported-hash.js'

const compute = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

/** Node's memory limit for one hash; the parameters have stricter limits. */
const MEMORY_MAX = 2 ** 28
const LOG_N_MAX = 17

type ScryptParameters = { readonly N: number; readonly r: number; readonly p: number }

/** Computes scrypt in libuv's thread pool. */
function deriveScrypt(
  password: string,
  salt: Uint8Array,
  length: number,
  parameters: ScryptParameters,
): Promise<Buffer> {
  return compute(password, salt, length, { ...parameters, maxmem: MEMORY_MAX })
}

function scryptHash({ N, r, p }: ScryptParameters, hash: Omit<ImportedHash, 'kind'>): ReadHash {
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

const SUPABASE =
  /^\$fbscrypt\$v=1,n=(?<ln>\d{1,2}),r=(?<r>\d{1,10}),p=(?<p>\d{1,10}),ss=(?<separator>[^,$]+),sk=(?<signerKey>[^,$]+)\$(?<salt>[^$]+)\$(?<digest>[^$]+)$/u
const ORY =
  /^\$firescrypt\$ln=(?<ln>\d{1,2}),r=(?<r>\d{1,10}),p=(?<p>\d{1,10})\$(?<salt>[^$]+)\$(?<digest>[^$]+)\$(?<separator>[^$]+)\$(?<signerKey>[^$]+)$/u

/**
 * Reads a Firebase hash with the parameters of its project, in the format of Supabase (`$fbscrypt$v=1,n=14,r=8,p=1,ss=…,sk=…$salt$digest`)
 * or Ory (`$firescrypt$ln=14,r=8,p=1$salt$digest$separator$key`). `n` is the memory cost, `r` the rounds, `ss` the salt separator and `sk`
 * the signer key. The digest is the signer key, encrypted with a key that scrypt derives from the password.
 */
export function readFirebase(text: string): ReadHash {
  const { ln, r, p, salt, separator, signerKey, digest } =
    (SUPABASE.exec(text) ?? ORY.exec(text))?.groups ?? {}
  const [saltBytes, separatorBytes, key] = [salt, separator, signerKey].map(decoded)
  const expected = decodedDigest(digest)
  if (!saltBytes || !separatorBytes || key?.length !== expected?.length || !key || !expected) return undefined
  const parameters = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const fullSalt = Buffer.concat([saltBytes, separatorBytes])
  const derive = async (password: string) =>
    encrypted(key, await deriveScrypt(password, fullSalt, 32, parameters))
  return scryptHash(parameters, { text, expected, derive })
}

function encrypted(bytes: Buffer, key: Buffer): Buffer {
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(bytes)
}
