import { jsonObjectIn } from '../../../../domain/identity/json-object.js'
import { OperatorError } from '../../../../domain/refusal.js'
import { textOf, type Source } from './foreign-user.js'

/** The password hash parameters of a Firebase project. */
export type FirebaseParameters = Readonly<Record<(typeof NAMES)[number], string>>

const NAMES = ['base64_signer_key', 'base64_salt_separator', 'rounds', 'mem_cost'] as const

/**
 * Reads the text of "Password hash parameters" in the Firebase console. Throws an `OperatorError` that names the missing parameters.
 */
export function readFirebaseParameters(text: string): FirebaseParameters {
  const found = NAMES.map((name) => [name, new RegExp(`\\b${name}"?\\s*:\\s*"?([^\\s",]+)`).exec(text)?.[1]])
  const missing = found.filter(([, value]) => value === undefined)
  if (missing.length > 0)
    throw new OperatorError(missing.map(([name]) => `--firebase-parameters: ${name} is missing`))
  return Object.fromEntries(found) as FirebaseParameters
}

/** The JSON file of `firebase auth:export`. The roles are read from the custom claim `roles` or `role`. */
export function firebase(parameters: FirebaseParameters | undefined): Source {
  return {
    key: 'users',
    user(record) {
      const { localId: id, email, passwordHash, salt, disabled, customAttributes } = record
      const { roles, role } = jsonObjectIn(customAttributes)
      return {
        ...{ id, email, disabled: disabled === true, roles: roles ?? role },
        passwordHash: passwordHash && firebaseHash(parameters, passwordHash, salt),
      }
    },
  }
}

/** The format of a hash that SuperTokens imported from Firebase: `$f_scrypt$digest$salt$m=14$r=8$s=Bw==`. */
const SUPERTOKENS = /^\$f_scrypt\$(?<digest>[^$]+)\$(?<salt>[^$]+)\$m=\d+\$r=\d+\$s=[^$]+$/u

export function firebaseHashOfSuperTokens(
  parameters: FirebaseParameters | undefined,
  hash: unknown,
): unknown {
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
