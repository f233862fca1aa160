import type { Caller } from '../../domain/access/caller.js'
import { newPassword, type Password, type PasswordHash } from '../../domain/identity/password.js'
import { REQUIRED } from '../../domain/messages.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import { Refusal } from '../../domain/refusal.js'
import type { PasswordBlocklist, PasswordContext, PasswordObjection } from '../../ports/password-blocklist.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { Authorize } from '../access/authorize.js'
import { parseFields, path, type FieldError } from '../fields.js'

/** Judges a new password of a user: first the length, then the blocklist. Rejects as the blocklist does. */
export type PasswordPolicy = (text: string, context: PasswordContext) => Promise<Parsed<Password>>

const RULES: Readonly<Record<PasswordObjection, string>> = {
  'too-common': 'is among the commonest passwords: choose another one',
  'too-close-to-context': 'is mostly the email or the name of this service: choose another one',
}

/** `minLength` in characters; without a blocklist only the length counts. */
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
 * A password, or a hash from another system; exactly one. A password is plain text, even if it looks like a hash: with a
 * hash a client could choose the cost of its verification and avoid the length rule.
 */
export type GivenPassword =
  | {
      readonly password: string
      /** A convenience default of the command line: neither the length rule nor the blocklist applies to it. */
      readonly anyLength?: boolean | undefined
      readonly passwordHash?: undefined
    }
  | {
      /** Needs the permission `user: import` as well, and is kept as it is. */
      readonly passwordHash: string
      readonly password?: undefined
      readonly anyLength?: undefined
    }

/** The input check: password or hash must be there. The operation refuses both together. */
export function assertEither(
  { password, passwordHash }: Readonly<Record<string, unknown>>,
  field: string,
  errors: FieldError[],
): void {
  if (password !== undefined || passwordHash !== undefined) return
  errors.push({ field: path(field, 'password'), type: 'Required', message: REQUIRED })
}

/** A hash needs a second permission, because its author knows the password. */
export function assertMayImport(
  authorize: Authorize,
  caller: Caller,
  { passwordHash }: { readonly passwordHash?: string | undefined },
): void {
  if (passwordHash !== undefined) authorize(caller, 'user', 'import')
}

/**
 * Makes the hash to store for the account of this context. Refuses with `malformed` (both, or neither) and `invalid` (the
 * policy, the hash).
 */
export type HashNewPassword = (given: GivenPassword, context: PasswordContext) => Promise<PasswordHash>

export function createHashNewPassword(parts: {
  hasher: PasswordHasher
  passwordPolicy: PasswordPolicy
}): HashNewPassword {
  return async (given, context) => {
    assertOne(given)
    if (given.passwordHash !== undefined)
      return parseFields({ passwordHash: knownHash(parts.hasher, given.passwordHash) }).passwordHash
    const judged = given.anyLength
      ? newPassword(given.password, 1)
      : await parts.passwordPolicy(given.password, context)
    return await parts.hasher.hash(parseFields({ password: judged }).password)
  }
}

/** A runtime check for callers from JavaScript. */
function assertOne({ password, passwordHash }: GivenPassword): void {
  if ((password === undefined) !== (passwordHash === undefined)) return
  throw new Refusal('malformed', [
    password === undefined
      ? { field: 'password', type: 'Required', message: REQUIRED }
      : { field: 'passwordHash', type: 'NotValid', message: 'cannot be given together with password' },
  ])
}

/**
 * The password or hash that an operator has typed: a text of a known hash format counts as a hash. Only for the command
 * line, on request: a client could choose the cost of a login with it.
 */
export function operatorPassword(hasher: PasswordHasher, text: string): GivenPassword {
  return hasher.recognise(text).kind === 'unknown' ? { password: text } : { passwordHash: text }
}

/** A hash from another system, if the hasher can verify it. */
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
