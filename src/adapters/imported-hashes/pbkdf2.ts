import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { decoded, decodedDigest, withinLimits, type ReadHash, isDigest } from './imported-hash.js'

const compute = promisify(pbkdf2)

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const
type Pbkdf2Digest = keyof typeof DIGEST_BYTES

/** Maximum total number of iterations: the iterations per block, times the blocks of the output. */
const ITERATIONS_MAX = 10_000_000

const DJANGO = /^pbkdf2_(?<digest>sha1|sha256)\$(?<iterations>\d{1,10})\$(?<salt>[^$]+)\$(?<expected>[^$]+)$/u
const ORY =
  /^\$pbkdf2-(?<digest>sha1|sha256|sha512)\$i=(?<iterations>\d{1,10}),l=(?<length>\d{1,3})\$(?<salt>[^$]+)\$(?<expected>[^$]+)$/u
const PASSLIB =
  /^\$pbkdf2(?:-(?<digest>sha256|sha512))?\$(?<iterations>[1-9]\d{0,9})\$(?<salt>[A-Za-z0-9./]+)\$(?<expected>[A-Za-z0-9./]+)$/u

/**
 * Reads a PBKDF2 hash in the format of Django (`pbkdf2_sha256$…`, the salt is plain text), Ory (`$pbkdf2-sha256$i=…,l=…$…`) or passlib
 * (`$pbkdf2-sha256$29000$…`, with `.` instead of `+`).
 */
export function readPbkdf2(text: string): ReadHash {
  return readDjango(text) ?? readOry(text) ?? readPasslib(text)
}

function readDjango(text: string): ReadHash {
  const { digest, iterations, salt, expected } = DJANGO.exec(text)?.groups ?? {}
  if (salt === undefined) return undefined
  return pbkdf2Hash({ text, digest, iterations, salt: Buffer.from(salt), expected: decodedDigest(expected) })
}

function readOry(text: string): ReadHash {
  const { digest, iterations, length, salt, expected: encoded } = ORY.exec(text)?.groups ?? {}
  const expected = decodedDigest(encoded)
  if (expected?.length !== Number(length)) return undefined
  return pbkdf2Hash({ text, digest, iterations, salt: decoded(salt), expected })
}

function readPasslib(text: string): ReadHash {
  const { digest = 'sha1', iterations, salt, expected } = PASSLIB.exec(text)?.groups ?? {}
  const base64 = (encoded: string | undefined) => encoded?.replaceAll('.', '+')
  return pbkdf2Hash({
    ...{ text, digest, iterations },
    salt: decoded(base64(salt)),
    expected: decodedDigest(base64(expected)),
  })
}

type Pbkdf2Parts = {
  readonly text: string
  readonly digest: string | undefined
  readonly iterations: string | number | undefined
  readonly salt: Buffer | undefined
  readonly expected: Buffer | undefined
}

/** Returns `undefined` if a part is missing. */
function pbkdf2Hash({ text, digest, iterations, salt, expected }: Pbkdf2Parts): ReadHash {
  if (!isDigestName(digest) || !salt?.length || !expected) return undefined
  const count = Number(iterations)
  const blocks = Math.ceil(expected.length / DIGEST_BYTES[digest])
  return withinLimits(
    `PBKDF2-${digest}`,
    { iterations: [1, count * blocks, ITERATIONS_MAX] },
    { text, expected, derive: (password) => compute(password, salt, count, expected.length, digest) },
  )
}

function isDigestName(text: string | undefined): text is Pbkdf2Digest {
  return text !== undefined && text in DIGEST_BYTES
}

const PREFIX = '$aspnet$'
const HEADER = 13

/** The digest algorithms of version 3, indexed by their number. */
const DIGESTS = ['sha1', 'sha256', 'sha512']

/**
 * Reads a hash of ASP.NET Core Identity: `$aspnet$` followed by the base64 text from the column `PasswordHash`, which itself has no prefix.
 * A version 2 hash consists of a zero byte, 16 bytes of salt and 32 bytes of digest. A version 3 hash consists of the byte 1, three numbers
 * of 4 bytes (digest algorithm, iterations and salt length), the salt, and the digest.
 */
export function readAspNet(text: string): ReadHash {
  if (!text.startsWith(PREFIX)) return undefined
  const bytes = decoded(text.slice(PREFIX.length))
  if (bytes?.[0] === 0) return readVersion2(text, bytes)
  return bytes?.[0] === 1 ? readVersion3(text, bytes) : undefined
}

function readVersion2(text: string, bytes: Buffer): ReadHash {
  if (bytes.length !== 49) return undefined
  const [salt, expected] = [bytes.subarray(1, 17), bytes.subarray(17)]
  return pbkdf2Hash({ text, digest: 'sha1', iterations: 1_000, salt, expected })
}

function readVersion3(text: string, bytes: Buffer): ReadHash {
  if (bytes.length < HEADER) return undefined
  const [digest, iterations, saltLength] = [1, 5, 9].map((at) => bytes.readUInt32BE(at)) as [
    number,
    number,
    number,
  ]
  const salt = bytes.subarray(HEADER, HEADER + saltLength)
  const expected = bytes.subarray(HEADER + saltLength)
  if (!isDigest(expected)) return undefined
  return pbkdf2Hash({ text, digest: DIGESTS[digest], iterations, salt, expected })
}
