import type { JsonObject } from '../../../../domain/identity/json-object.js'
import {
  at,
  isTrue,
  NO_FACTOR_SECRET,
  textOf,
  totpOf,
  type ForeignTotp,
  type Source,
} from './foreign-user.js'
import { firebaseHashOfSuperTokens, type FirebaseParameters } from './firebase.js'

/** The columns of a user table whose names differ between systems; the documentation contains the query for each system. */
type Columns = {
  readonly id?: string
  readonly email?: string
  readonly hash: string
  /** Whether the account has a second factor. */
  readonly factor?: string
  readonly disabled?: (row: JsonObject) => boolean
}

/** Reads the rows of a database table that were exported as JSON or CSV. */
function table({ id = 'id', email = 'email', hash, factor = '', disabled }: Columns): Source {
  return {
    csv: email,
    user(row) {
      const totp = totpOfRow(row)
      return {
        ...{ id: at(row, id), email: at(row, email), passwordHash: at(row, hash) },
        roles: at(row, 'roles') ?? at(row, 'role'),
        disabled: disabled?.(row) ?? isTrue(at(row, 'banned')),
        totp,
        problem: isTrue(at(row, factor)) && !totp ? NO_FACTOR_SECRET : undefined,
      }
    },
  }
}

function totpOfRow({
  totp_uri: uri,
  totp_secret: secret,
  totp_period: period,
}: JsonObject): ForeignTotp | undefined {
  return totpOf(uri) ?? (secret ? { secret, period } : undefined)
}

export const BETTER_AUTH = table({ hash: 'password', factor: 'twoFactorEnabled' })

/** In Supabase, the column `role` contains a PostgreSQL role, so the query reads the roles from the metadata. */
export const SUPABASE = table({ hash: 'encrypted_password' })

/** The file that "Export users" in Clerk's dashboard creates. */
export const CLERK = table({ email: 'primary_email_address', hash: 'password_digest' })

/** In Rodauth, status 2 is an open, verified account. */
export const RODAUTH = table({
  hash: 'password_hash',
  disabled: ({ status_id: status }) => status !== undefined && status !== 2 && status !== '2',
})

export function superTokens(parameters: FirebaseParameters | undefined): Source {
  const { csv, user } = table({ id: 'user_id', hash: 'password_hash' })
  return {
    ...(csv !== undefined && { csv }),
    user: (row) =>
      user({ ...row, password_hash: firebaseHashOfSuperTokens(parameters, at(row, 'password_hash')) }),
  }
}

/** The JSON lines that Auth0's support team sends. */
export const AUTH0: Source = {
  user: (record) => ({
    id: `auth0|${textOf(at(record, 'alt_id') ?? at(record, '_id', '$oid'))}`,
    ...{ email: at(record, 'email'), passwordHash: at(record, 'passwordHash') },
  }),
}
