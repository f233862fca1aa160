import type { AccountId } from '../domain/identity/account.js'
import type { FactorSecret, SealedSecret } from '../domain/identity/second-factor.js'

/** A decrypted secret. */
export type OpenedSecret = {
  readonly secret: FactorSecret
  /** False if it was encrypted with a previous key and should be encrypted again. */
  readonly isCurrent: boolean
}

/** Encrypts secrets with a ring of keys (one encrypts, all decrypt), so that a store alone reveals no secret. */
export type SecretSeal = {
  /** Encrypts with the current key, for this account only. Two calls return different texts. */
  seal(secret: FactorSecret, account: AccountId): Promise<SealedSecret>
  /** Returns `undefined` if no key of the ring decrypts it, or if it was encrypted for another account. */
  open(sealed: SealedSecret, account: AccountId): Promise<OpenedSecret | undefined>
}
