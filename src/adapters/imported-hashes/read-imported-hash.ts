import { readArgon2 } from './argon2.js'
import { readAspNet, readPbkdf2 } from './pbkdf2.js'
import { readBcrypt, readWordPress } from './bcrypt.js'
import { readFirebase, readBetterAuth, readScrypt } from './scrypt.js'
import type { HashReader, ReadHash } from './imported-hash.js'
import { readDrupal, readPhpass, readShaCrypt, readSaltedSha } from './crypt.js'
import { jsonObjectIn } from '../../domain/identity/json-object.js'

/** The reader for each hash prefix. Hashes of Better Auth and Lucia have no prefix. */
const FAMILIES: readonly (readonly [prefix: string, reader: HashReader])[] = [
  ['$2', readBcrypt],
  ['$argon2', readArgon2],
  ['$pbkdf2', readPbkdf2],
  ['pbkdf2_', readPbkdf2],
  ['$aspnet$', readAspNet],
  ['$scrypt$', readScrypt],
  ['$fbscrypt$', readFirebase],
  ['$firescrypt$', readFirebase],
  ['$5$', readShaCrypt],
  ['$6$', readShaCrypt],
  ['{SSHA', readSaltedSha],
  ['$P$', readPhpass],
  ['$H$', readPhpass],
  ['$wp$', readWordPress],
  ['$S$', readDrupal],
  ['U$S$', readDrupal],
  ['', readBetterAuth],
]

/** Maximum length of a hash in characters; the longest known format is a Keycloak credential. */
const LENGTH_MAX = 1_024

/**
 * Reads a hash in the format of another system and checks its parameters, without computing a hash. Returns `undefined` if the text has no
 * known format, is damaged, or has no salt. A Keycloak credential is converted to a PHC string.
 */
export function readImportedHash(text: string): ReadHash {
  if (text.length > LENGTH_MAX) return undefined
  const hash = text.startsWith('{"') ? (phcOfKeycloak(text) ?? text) : text
  const family = FAMILIES.find(([prefix]) => hash.startsWith(prefix))
  return family?.[1](hash)
}

const DIGESTS: Readonly<Record<string, string>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
}

/**
 * Returns the PHC string of a password credential in a realm export of Keycloak: a JSON object whose members `secretData` and
 * `credentialData` are JSON strings. Returns `undefined` for any other string. The result may still be an invalid hash.
 */
export function phcOfKeycloak(text: string): string | undefined {
  const { secretData, credentialData } = jsonObjectIn(text)
  const { value, salt } = jsonObjectIn(secretData)
  const { algorithm, hashIterations, additionalParameters } = jsonObjectIn(credentialData)
  if (typeof value !== 'string' || typeof salt !== 'string') return undefined
  if (typeof algorithm !== 'string' || typeof hashIterations !== 'number') return undefined
  const parameters =
    algorithm === 'argon2'
      ? argon2Parameters(hashIterations, firstValues(additionalParameters))
      : pbkdf2Parameters(hashIterations, DIGESTS[algorithm], Buffer.from(value, 'base64').length)
  return parameters && `$${parameters}$${salt}$${value}`
}

function argon2Parameters(passes: number, values: Readonly<Record<string, string>>): string | undefined {
  const { type, version, memory, parallelism } = values
  return version === '1.3' ? `argon2${type}$v=19$m=${memory},t=${passes},p=${parallelism}` : undefined
}

function pbkdf2Parameters(iterations: number, digest: string | undefined, length: number) {
  return digest && `pbkdf2-${digest}$i=${iterations},l=${length}`
}

/** Keycloak writes each additional parameter as a list with one string. */
function firstValues(parameters: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(parameters ?? {}).map(([name, list]: [string, unknown]) => {
    const first: unknown = Array.isArray(list) ? list[0] : undefined
    return [name, typeof first === 'string' ? first : ''] as const
  })
  return Object.fromEntries(entries)
}
