import { isObject, type JsonObject } from '../../../../domain/identity/json-object.js'
import { at, NO_FACTOR_SECRET, totpOf, type Source } from './foreign-user.js'

/** Identities of Ory Kratos, as listed by its administration API: one array per page, or one identity per line. */
export const KRATOS: Source = {
  user(identity) {
    const factor = at(identity, 'credentials', 'totp')
    const totp = totpOf(at(factor, 'config', 'totp_url'))
    return {
      id: at(identity, 'id'),
      email: emailOf(identity),
      passwordHash: at(identity, 'credentials', 'password', 'config', 'hashed_password'),
      roles: at(identity, 'metadata_public', 'roles') ?? at(identity, 'metadata_public', 'role'),
      disabled: at(identity, 'state') === 'inactive',
      totp,
      // The API omits the secret unless the query asks for it.
      problem: isObject(factor) && !totp ? NO_FACTOR_SECRET : undefined,
    }
  },
}

/** A schema may use a name other than `email` for the trait, so the verifiable address is the fallback. */
function emailOf(identity: JsonObject): unknown {
  const { verifiable_addresses: addresses } = identity
  const list: readonly unknown[] = Array.isArray(addresses) ? addresses : []
  const verifiable = list.find((address) => at(address, 'via') === 'email')
  return at(identity, 'traits', 'email') ?? at(verifiable, 'value')
}
