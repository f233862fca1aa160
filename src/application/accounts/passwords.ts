import type { Caller } from '../../domain/access/caller.js'
import {
  newPassword,
  presentedPassword,
  type Password,
  type PasswordHash,
} from '../../domain/identity/password.js'
import { REQUIRED } from '../../domain/messages.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import { Refusal } from '../../domain/refusal.js'
import type {
  PasswordBlocklist,
  PasswordContext,
  PasswordObjection,
  PasswordHasher,
} from '../../ports/passwords.js'
import type { Authorize } from '../access/authorize.js'
import { parseFields, path, type FieldError } from '../fields.js'

/** Checks a user's new password: first its length, then the blocklist. Rejects if the blocklist rejects. */
export type PasswordPolicy = (text: string, context: PasswordContext) => Promise<Parsed<Password>>

const RULES: Readonly<Record<PasswordObjection, string>> = {
  'too-common': 'is among the most common passwords: choose another one',
  'too-close-to-context': 'consists mostly of the email or the name of this service: choose another one',
}

/** `minLength` is counted in characters; without a blocklist, only the length is checked. */
export function createPasswordPolicy(parts: {
  minLength: number
  blocklist?: PasswordBlocklist | undefined
}): PasswordPolicy {
  return async (text, context) => {
    const judged = newPassword(text, parts.minLength)
    const objection = judged.ok ? await parts.blocklist?.refuses(judged.value, context) : undefined
    return objection === undefined ? judged : broken('NotValid', RULES[objection])
  }
}

/**
 * Either a password or a hash from another system, but not both. A password is never treated as a hash, even if it looks like one.
 * Otherwise, a client could choose the cost of verification and bypass the length rule.
 */
export type GivenPassword =
  | {
      readonly password: string
      /** Set for the command line's default passwords, to which neither the length rule nor the blocklist applies. */
      readonly anyLength?: boolean | undefined
      readonly passwordHash?: undefined
    }
  | {
      /** Also requires the permission `user: import`; the hash is stored unchanged. */
      readonly passwordHash: string
      readonly password?: undefined
      readonly anyLength?: undefined
    }

/** Checks that the input has a password or a hash. An input with both passes this check; the operation refuses it later. */
export function assertEither(
  { password, passwordHash }: Readonly<Record<string, unknown>>,
  field: string,
  errors: FieldError[],
): void {
  if (password !== undefined || passwordHash !== undefined) return
  errors.push({ field: path(field, 'password'), type: 'Required', message: REQUIRED })
}

/** Passing a hash requires a second permission, because the person who computed the hash knows the password. */
export function assertMayImport(
  authorize: Authorize,
  caller: Caller,
  { passwordHash }: { readonly passwordHash?: string | undefined },
): void {
  if (passwordHash !== undefined) authorize(caller, 'user', 'import')
}

/**
 * Resolves with the hash to store for the account in `context`. Refuses the call with `malformed` (both a password and a hash, or neither)
 * or `invalid` (the password violates the policy, or the hash is not accepted).
 */
export type HashNewPassword = (credential: GivenPassword, context: PasswordContext) => Promise<PasswordHash>

export function createHashNewPassword(parts: {
  hasher: PasswordHasher
  passwordPolicy: PasswordPolicy
}): HashNewPassword {
  return async (credential, context) => {
    assertOne(credential)
    if (credential.passwordHash !== undefined)
      return parseFields({ passwordHash: knownHash(parts.hasher, credential.passwordHash) }).passwordHash
    const judged = credential.anyLength
      ? newPassword(credential.password, 1)
      : await parts.passwordPolicy(credential.password, context)
    return await parts.hasher.hash(parseFields({ password: judged }).password)
  }
}

function assertOne({ password, passwordHash }: GivenPassword): void {
  if ((password === undefined) !== (passwordHash === undefined)) return
  throw new Refusal('malformed', [
    password === undefined
      ? { field: 'password', type: 'Required', message: REQUIRED }
      : { field: 'passwordHash', type: 'NotValid', message: 'cannot be given together with password' },
  ])
}

/**
 * Returns an operator's input as a hash if it has a known hash format, otherwise as a password. Only for the command line: a client that
 * could choose a hash could make every login expensive.
 */
export function operatorPassword(hasher: PasswordHasher, text: string): GivenPassword {
  return hasher.recognise(text).kind === 'unknown' ? { password: text } : { passwordHash: text }
}

export function knownHash(hasher: PasswordHasher, text: string): Parsed<PasswordHash> {
  const recognised = hasher.recognise(text)
  switch (recognised.kind) {
    case 'hash':
      return accepted(recognised.hash)
    case 'too-costly':
      return broken('NotValid', `would cost too much to verify: ${recognised.limit}`)
    case 'unknown':
      return broken('Format', 'is not a hash of a known format')
  }
}

/**
 * Resolves with the password in its stored form, or with `undefined` if the password is wrong. The hasher also gets the string as sent,
 * because another system may have hashed its passwords without normalization.
 */
export async function verifyPassword(
  hasher: Pick<PasswordHasher, 'verify'>,
  text: string,
  hash: PasswordHash | undefined,
): Promise<Password | undefined> {
  const password = presentedPassword(text)
  return (await hasher.verify(password, hash, text)) ? password : undefined
}
