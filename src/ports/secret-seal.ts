import type { AccountId } from '../domain/identity/account.js'
import type { FactorSecret, SealedSecret } from '../domain/identity/second-factor.js'

/** An opened secret. */
export type OpenedSecret = {
  readonly secret: FactorSecret
  /** False if a previous key sealed it; then it should be sealed again. */
  readonly isCurrent: boolean
}

/** Seals secrets with a ring of keys (one seals, all open), so that a store alone reveals no secret. */
export type SecretSeal = {
  /** With the current key, for this account only. Two calls give different texts. */
  seal(secret: FactorSecret, account: AccountId): Promise<SealedSecret>
  /** `undefined` if no key of the ring opens it, if it was sealed for another account, and for any other text. */
  open(sealed: SealedSecret, account: AccountId): Promise<OpenedSecret | undefined>
}
