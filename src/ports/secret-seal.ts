import type { AccountId } from '../domain/identity/account.js'
import type { FactorSecret, SealedSecret } from '../domain/identity/second-factor.js'

/** A decrypted secret. */
export type OpenedSecret = {
  readonly secret: FactorSecret
  /** `false` if the secret was encrypted with a previous key and should be encrypted again. */
  readonly isCurrent: boolean
}

/** Encrypts secrets with a key ring (one key encrypts, all keys decrypt), so that access to a store alone reveals no secret. */
export type SecretSeal = {
  /** Encrypts the secret with the current key, for this account only. Two calls with the same secret return different ciphertexts. */
  seal(secret: FactorSecret, account: AccountId): Promise<SealedSecret>
  /** Returns `undefined` if no key of the ring decrypts the string, or if the string was encrypted for another account. */
  open(sealed: SealedSecret, account: AccountId): Promise<OpenedSecret | undefined>
}
