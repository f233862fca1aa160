import { decoded, isDigest, type ReadHash } from './imported-hash.js'
import { pbkdf2Hash } from './pbkdf2.js'

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
