import type { Password, PasswordHash } from '../domain/identity/password.js'

/**
 * Hashes passwords. Concurrency is bounded and so is the queue: beyond it `hash` and `verify`
 * reject with a Refusal `overloaded` and do no work.
 */
export type PasswordHasher = {
  /** With a fresh salt: two hashes of one password differ. */
  hash(password: Password): Promise<PasswordHash>
  /**
   * Costs exactly one hash, whatever is passed: where either is `undefined` a decoy is computed
   * at the current cost and the answer is false. A corrupt hash, or one whose parameters are out
   * of bounds, never verifies, never throws and never obeys those parameters.
   */
  verify(password: Password | undefined, hash: PasswordHash | undefined): Promise<boolean>
  /** True where a hash was made with other than the current parameters or an older algorithm. */
  isOutdated(hash: PasswordHash): boolean
  /** The text as a hash where its format is one that `verify` knows (scrypt-kdf, bcrypt `$2a$ $2b$ $2y$`). */
  recognise(text: string): PasswordHash | undefined
}
