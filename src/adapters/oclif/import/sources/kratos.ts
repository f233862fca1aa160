import { isObject, type JsonObject } from '../../../../domain/identity/json-object.js'
import { at, NO_FACTOR_SECRET, SECURITY_KEY, totpOf, type Source } from './foreign-user.js'

/** Identities of Ory Kratos, as listed by its administration API: one array per page, or one identity per line. */
export const KRATOS: Source = {
  user(identity) {
    const totp = totpOf(at(identity, 'credentials', 'totp', 'config', 'totp_url'))
    return {
      id: at(identity, 'id'),
      email: emailOf(identity),
      passwordHash: at(identity, 'credentials', 'password', 'config', 'hashed_password'),
      roles: at(identity, 'metadata_public', 'roles') ?? at(identity, 'metadata_public', 'role'),
      disabled: at(identity, 'state') === 'inactive',
      totp,
      problem: totp ? undefined : problemOf(at(identity, 'credentials')),
    }
  },
}

/** The API lists all kinds of credentials, but returns details only for the kinds that the query requests. */
function problemOf(credentials: unknown): string | undefined {
  const [totp, webauthn] = [at(credentials, 'totp'), at(credentials, 'webauthn')]
  if (isObject(totp)) return NO_FACTOR_SECRET
  const keys = at(webauthn, 'config', 'credentials')
  const isFirstFactor = Array.isArray(keys) && keys.every((key) => at(key, 'is_passwordless') === true)
  return isObject(webauthn) && !isFirstFactor ? SECURITY_KEY : undefined
}

/** Falls back to the verifiable address, because an identity schema may use a different name for the trait `email`. */
function emailOf(identity: JsonObject): unknown {
  const { verifiable_addresses: addresses } = identity
  const list: readonly unknown[] = Array.isArray(addresses) ? addresses : []
  const verifiable = list.find((address) => at(address, 'via') === 'email')
  return at(identity, 'traits', 'email') ?? at(verifiable, 'value')
}
