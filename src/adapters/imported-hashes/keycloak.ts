// Converts Keycloak's credentials to PHC strings, which the other readers accept.
import { jsonObjectIn } from '../../domain/identity/json-object.js'

/** Maps Keycloak's digest names to the names in the PHC string format. */
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
