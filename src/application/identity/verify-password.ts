import { presentedPassword, type Password, type PasswordHash } from '../../domain/identity/password.js'
import type { PasswordHasher } from '../../ports/passwords.js'

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
