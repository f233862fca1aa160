import type { JsonObject } from '../../../../domain/identity/json-object.js'
import { at, totpOf, type Source } from './foreign-user.js'

/** Identities of Ory Kratos, as listed by its administration API: one array per page, or one identity per line. */
export const KRATOS: Source = {
  user: (identity) => ({
    id: at(identity, 'id'),
    email: emailOf(identity),
    passwordHash: at(identity, 'credentials', 'password', 'config', 'hashed_password'),
    roles: at(identity, 'metadata_public', 'roles') ?? at(identity, 'metadata_public', 'role'),
    disabled: at(identity, 'state') === 'inactive',
    totp: totpOf(at(identity, 'credentials', 'totp', 'config', 'totp_url')),
  }),
}

/** A schema may use a name other than `email` for the trait, so the verifiable address is the fallback. */
function emailOf(identity: JsonObject): unknown {
  const { verifiable_addresses: addresses } = identity
  const list: readonly unknown[] = Array.isArray(addresses) ? addresses : []
  const verifiable = list.find((address) => at(address, 'via') === 'email')
  return at(identity, 'traits', 'email') ?? at(verifiable, 'value')
}
