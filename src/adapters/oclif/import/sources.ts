import {
  type Source,
  textOf,
  at,
  booleanOf,
  either,
  NO_FACTOR_SECRET,
  totpOf,
  type ForeignTotp,
  SECURITY_KEY,
} from './foreign-user.js'
import { jsonObjectIn, type JsonObject, isObject } from '../../../domain/identity/json-object.js'
import { OperatorError } from '../../../domain/refusal.js'

/** A Keycloak realm export, with all users in the realm file or in separate files. */
const KEYCLOAK: Source = {
  key: 'users',
  user(record) {
    if (at(record, 'serviceAccountClientId') !== undefined) return undefined
    const { id, email, enabled, realmRoles: roles, credentials } = record
    const list: readonly unknown[] = Array.isArray(credentials) ? credentials : []
    const ofType = (type: string) =>
      list.filter(isObject).find((credential) => at(credential, 'type') === type)
    const otp = ofType('otp')
    return {
      ...{ id, email, roles, disabled: either(enabled, ['false'], ['true']) },
      passwordHash: passwordHashOf(ofType('password')),
      totp: totpOfCredential(otp),
      problem: factorProblem(otp ?? ofType('webauthn')),
    }
  },
}

/** The hash is stored as JSON text, which `readImportedHash` reads. */
function passwordHashOf(credential: JsonObject | undefined): string | undefined {
  if (!credential) return undefined
  const { secretData, credentialData } = credential
  return JSON.stringify({ secretData, credentialData })
}

function factorProblem(factor: JsonObject | undefined): string | undefined {
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

/** Identities of Ory Kratos, as listed by its administration API: one array per page, or one identity per line. */
const KRATOS: Source = {
  user(identity) {
    const totp = totpOf(at(identity, 'credentials', 'totp', 'config', 'totp_url'))
    return {
      id: at(identity, 'id'),
      email: emailOf(identity),
      passwordHash: at(identity, 'credentials', 'password', 'config', 'hashed_password'),
      roles: at(identity, 'metadata_public', 'roles') ?? at(identity, 'metadata_public', 'role'),
      disabled: either(at(identity, 'state'), ['inactive'], ['active']),
      totp,
      problem: totp ? undefined : credentialsProblem(at(identity, 'credentials')),
    }
  },
}

/** The API lists all kinds of credentials, but returns details only for the kinds that the query requests. */
function credentialsProblem(credentials: unknown): string | undefined {
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
function table({ id = 'id', email = 'email', hash, factor, disabled }: Columns): Source {
  return {
    csv: email,
    user(row) {
      const totp = totpOfRow(row)
      const hasFactor = factor !== undefined && booleanOf(at(row, factor)) !== false
      return {
        ...{ id: at(row, id), email: at(row, email), passwordHash: at(row, hash) },
        roles: at(row, 'roles') ?? at(row, 'role'),
        disabled: disabled?.(row) ?? booleanOf(at(row, 'banned')),
        totp,
        problem: hasFactor && !totp ? NO_FACTOR_SECRET : undefined,
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

const BETTER_AUTH = table({ hash: 'password', factor: 'twoFactorEnabled' })

/** In Supabase, the column `role` contains a PostgreSQL role, so the query reads the roles from the metadata. */
const SUPABASE = table({ hash: 'encrypted_password' })

/** The file that "Export users" in Clerk's dashboard creates. */
const CLERK = table({ email: 'primary_email_address', hash: 'password_digest' })

/** In Rodauth, status 2 is an open, verified account. */
const RODAUTH = table({
  hash: 'password_hash',
  disabled: ({ status_id: status }) => status !== undefined && status !== 2 && status !== '2',
})

function superTokens(parameters: FirebaseParameters | undefined): Source {
  const { csv, user } = table({ id: 'user_id', hash: 'password_hash' })
  return {
    ...(csv !== undefined && { csv }),
    user: (row) =>
      user({ ...row, password_hash: firebaseHashOfSuperTokens(parameters, at(row, 'password_hash')) }),
  }
}

/** The JSON lines that Auth0's support team sends. */
const AUTH0: Source = {
  user: (record) => ({
    id: `auth0|${textOf(at(record, 'alt_id') ?? at(record, '_id', '$oid'))}`,
    ...{ email: at(record, 'email'), passwordHash: at(record, 'passwordHash') },
  }),
}

type FirebaseParameters = Readonly<Record<(typeof PARAMETER_NAMES)[number], string>>

const PARAMETER_NAMES = ['base64_signer_key', 'base64_salt_separator', 'rounds', 'mem_cost'] as const

/**
 * Reads the text of "Password hash parameters" in the Firebase console. Throws an `OperatorError` that names the missing parameters.
 */
export function readFirebaseParameters(text: string): FirebaseParameters {
  const found = PARAMETER_NAMES.map((name) => [
    name,
    new RegExp(`\\b${name}"?\\s*:\\s*"?([^\\s",]+)`).exec(text)?.[1],
  ])
  const missing = found.filter(([, value]) => value === undefined)
  if (missing.length > 0)
    throw new OperatorError(missing.map(([name]) => `--firebase-parameters: ${name} is missing`))
  return Object.fromEntries(found) as FirebaseParameters
}

/** The JSON file of `firebase auth:export`. The roles are read from the custom claim `roles` or `role`. */
function firebase(parameters: FirebaseParameters | undefined): Source {
  return {
    key: 'users',
    user(record) {
      const { localId: id, email, passwordHash, salt, disabled, customAttributes } = record
      const { roles, role } = jsonObjectIn(customAttributes)
      return {
        ...{ id, email, disabled: booleanOf(disabled), roles: roles ?? role },
        passwordHash: passwordHash && firebaseHash(parameters, passwordHash, salt),
      }
    },
  }
}

/** The format of a hash that SuperTokens imported from Firebase: `$f_scrypt$digest$salt$m=14$r=8$s=Bw==`. */
const SUPERTOKENS = /^\$f_scrypt\$(?<digest>[^$]+)\$(?<salt>[^$]+)\$m=\d+\$r=\d+\$s=[^$]+$/u

function firebaseHashOfSuperTokens(parameters: FirebaseParameters | undefined, hash: unknown): unknown {
  const { digest, salt } = SUPERTOKENS.exec(textOf(hash))?.groups ?? {}
  return digest === undefined ? hash : firebaseHash(parameters, digest, salt)
}

function firebaseHash(parameters: FirebaseParameters | undefined, digest: unknown, salt: unknown): string {
  if (!parameters) throw new OperatorError([NO_PARAMETERS])
  const { base64_signer_key: key, base64_salt_separator: separator, rounds, mem_cost: memory } = parameters
  return `$fbscrypt$v=1,n=${memory},r=${rounds},p=1,ss=${separator},sk=${key}$${base64(salt)}$${base64(digest)}`
}

const NO_PARAMETERS =
  'The file has Firebase hashes: copy the password hash parameters of the project from the Firebase console into a file, and add --firebase-parameters FILE.'

/** Firebase's API writes the URL-safe variant of base64, and its command line writes the standard variant. */
function base64(text: unknown): string {
  return textOf(text).replaceAll('_', '/').replaceAll('-', '+')
}

/** The systems whose exports can be imported, by the value of `--from`. */
const SOURCES = {
  'better-auth': () => BETTER_AUTH,
  keycloak: () => KEYCLOAK,
  kratos: () => KRATOS,
  supertokens: superTokens,
  auth0: () => AUTH0,
  firebase,
  clerk: () => CLERK,
  supabase: () => SUPABASE,
  rodauth: () => RODAUTH,
} as const satisfies Readonly<Record<string, (parameters: FirebaseParameters | undefined) => Source>>

/** Kennel's own format, the default. */
export const KENNEL = 'kennel'

export const SOURCE_NAMES: readonly string[] = [KENNEL, ...Object.keys(SOURCES)]

/** Returns the source with this name; `undefined` for Kennel's own format. */
export function sourceCalled(name: string, parameters?: FirebaseParameters): Source | undefined {
  return name in SOURCES ? SOURCES[name as keyof typeof SOURCES](parameters) : undefined
}
