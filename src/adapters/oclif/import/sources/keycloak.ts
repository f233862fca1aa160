import { isObject, jsonObjectIn, type JsonObject } from '../../../../domain/identity/json-object.js'
import { at, SECURITY_KEY, textOf, type ForeignTotp, type Source } from './foreign-user.js'

/** A Keycloak realm export, with all users in the realm file or in separate files. */
export const KEYCLOAK: Source = {
  key: 'users',
  user(record) {
    if (at(record, 'serviceAccountClientId') !== undefined) return undefined
    const { id, email, enabled, realmRoles: roles, credentials } = record
    const list: readonly unknown[] = Array.isArray(credentials) ? credentials : []
    const ofType = (type: string) =>
      list.filter(isObject).find((credential) => at(credential, 'type') === type)
    const otp = ofType('otp')
    return {
      ...{ id, email, roles, disabled: enabled === false },
      passwordHash: hashOf(ofType('password')),
      totp: totpOfCredential(otp),
      problem: problemOf(otp ?? ofType('webauthn')),
    }
  },
}

/** The hash is stored as JSON text, which `readImportedHash` reads. */
function hashOf(credential: JsonObject | undefined): string | undefined {
  if (!credential) return undefined
  const { secretData, credentialData } = credential
  return JSON.stringify({ secretData, credentialData })
}

function problemOf(factor: JsonObject | undefined): string | undefined {
  if (!factor) return undefined
  const { type, credentialData } = factor
  if (type === 'webauthn') return SECURITY_KEY
  const isCounted = jsonObjectIn(credentialData)['subType'] === 'hotp'
  return isCounted
    ? 'the second factor uses counter-based codes (HOTP); only TOTP can be imported'
    : undefined
}

function totpOfCredential(credential: JsonObject | undefined): ForeignTotp | undefined {
  if (!credential) return undefined
  const { credentialData, secretData } = credential
  const { algorithm, digits, period, secretEncoding } = jsonObjectIn(credentialData)
  const { value } = jsonObjectIn(secretData)
  // The secret is this string's bytes, unless a newer Keycloak release marks the string as base32.
  const secret = secretEncoding === 'BASE32' || typeof value !== 'string' ? value : base32(Buffer.from(value))
  return { secret, digits, period, algorithm: textOf(algorithm ?? 'unknown').replace('Hmac', '') }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 without padding (RFC 4648, 6). */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[parseInt(group.padEnd(5, '0'), 2)]).join('')
}
