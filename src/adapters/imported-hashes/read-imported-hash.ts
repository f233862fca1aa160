// Recognizes a hash of another system by its prefix; `stored-hash.ts` of the scrypt adapter calls it.
import { readArgon2 } from './argon2.js'
import { readAspNet } from './aspnet.js'
import { readBcrypt, readWordPress } from './bcrypt.js'
import { readFirebase } from './firebase.js'
import type { HashReader, ReadHash } from './imported-hash.js'
import { phcOfKeycloak } from './keycloak.js'
import { readPbkdf2 } from './pbkdf2.js'
import { readDrupal, readPhpass } from './phpass.js'
import { readSaltedSha } from './salted-sha.js'
import { readBetterAuth, readScrypt } from './scrypt.js'
import { readShaCrypt } from './sha-crypt.js'

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
