import { newPassword, type PasswordHash } from '../../domain/identity/password.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import { parseFields } from '../fields.js'

/** Checks the policy and hashes; a text that is a recognised hash already is kept unchanged. */
export type HashNewPassword = (text: string, options: { anyLength: boolean }) => Promise<PasswordHash>

/** `minLength` in characters; `hasher` says which texts are hashes already. */
export function createHashNewPassword(parts: { hasher: PasswordHasher; minLength: number }): HashNewPassword {
  return async (text, { anyLength }) => {
    const hash = parts.hasher.recognise(text)
    if (hash !== undefined) return hash
    const { password } = parseFields({ password: newPassword(text, anyLength ? 1 : parts.minLength) })
    return await parts.hasher.hash(password)
  }
}
