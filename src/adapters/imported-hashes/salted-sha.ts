// Reads and verifies salted SHA hashes; `read-imported-hash.ts` selects this reader.
import { createHash } from 'node:crypto'
import { decoded, type ReadHash } from './imported-hash.js'

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
