/** Keycloak's names of digests, and the names of the PHC string format. */
const DIGESTS: Readonly<Record<string, string>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
}

/**
 * Returns the PHC string of a password credential in a realm export of Keycloak: a JSON object whose members `secretData` and
 * `credentialData` are JSON texts. Returns `undefined` for any other text. The result may still be an invalid hash.
 */
export function phcOfKeycloak(text: string): string | undefined {
  const { secretData, credentialData } = objectOf(text)
  const { value, salt } = objectOf(secretData)
  const { algorithm, hashIterations, additionalParameters } = objectOf(credentialData)
  if (typeof value !== 'string' || typeof salt !== 'string' || typeof algorithm !== 'string') return undefined
  const digest = DIGESTS[algorithm]
  const end = `${salt}$${value}`
  if (digest !== undefined) {
    const length = Buffer.from(value, 'base64').length
    return `$pbkdf2-${digest}$i=${String(hashIterations)},l=${length}$${end}`
  }
  if (algorithm !== 'argon2') return undefined
  const { type, version, memory, parallelism } = firstValues(additionalParameters)
  if (version !== '1.3') return undefined
  return `$argon2${type}$v=19$m=${memory},t=${String(hashIterations)},p=${parallelism}$${end}`
}

/** Parses a JSON object; returns an empty object for any other value. */
function objectOf(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Keycloak writes each additional parameter as a list with one string. */
function firstValues(parameters: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(parameters ?? {}) as [string, unknown][]
  return Object.fromEntries(entries.map(([name, list]) => [name, Array.isArray(list) ? String(list[0]) : '']))
}
