import { REQUIRED } from '../../domain/messages.js'
import { newPassword, type PasswordHash } from '../../domain/identity/password.js'
import { Refusal } from '../../domain/refusal.js'
import type { PasswordContext } from '../../ports/password-blocklist.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import type { Caller } from '../../domain/access/caller.js'
import type { Authorize } from '../access/authorize.js'
import { parseFields, path, type FieldError } from '../fields.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import type { PasswordPolicy } from './password-policy.js'

/**
 * A password, or a hash of one that was made elsewhere; one of the two. A password is plain text, also
 * where it looks like a hash: a client who could hand over a hash would choose what verifying it costs,
 * and pass by the length rule.
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

/** The check of an input: password or hash has to be there. The operation judges whether both are. */
export function assertEither(
  { password, passwordHash }: Readonly<Record<string, unknown>>,
  field: string,
  errors: FieldError[],
): void {
  if (password !== undefined || passwordHash !== undefined) return
  errors.push({ field: path(field, 'password'), type: 'Required', message: REQUIRED })
}

/** A hash needs a second permission: who sets a hash knows the password already. */
export function assertMayImport(
  authorize: Authorize,
  caller: Caller,
  { passwordHash }: { readonly passwordHash?: string | undefined },
): void {
  if (passwordHash !== undefined) authorize(caller, 'user', 'import')
}

/**
 * The hash that is to be stored for the account of this context. Refuses with `malformed` (both, or neither) and `invalid`
 * (the policy, the hash).
 */
export type HashNewPassword = (given: GivenPassword, context: PasswordContext) => Promise<PasswordHash>

/** `hasher` says which hashes it can verify. */
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

/** No compiler tells a caller from JavaScript. */
function assertOne({ password, passwordHash }: GivenPassword): void {
  if ((password === undefined) !== (passwordHash === undefined)) return
  throw new Refusal('malformed', [
    password === undefined
      ? { field: 'password', type: 'Required', message: REQUIRED }
      : { field: 'passwordHash', type: 'NotValid', message: 'cannot be given together with password' },
  ])
}

/**
 * What an operator has typed where a password belongs: a hash of a known format is taken for the hash that
 * it is. Only for the command line, which is asked to; a client could choose by it what a login costs.
 */
export function operatorPassword(hasher: PasswordHasher, text: string): GivenPassword {
  return hasher.recognise(text).kind === 'unknown' ? { password: text } : { passwordHash: text }
}

/** A hash that was made elsewhere, where the hasher can verify it. */
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
