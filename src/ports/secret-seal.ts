import type { AccountId } from '../domain/identity/account.js'
import type { FactorSecret, SealedSecret } from '../domain/identity/second-factor.js'

/** A secret that was sealed. */
export type OpenedSecret = {
  readonly secret: FactorSecret
  /** False where a previous key sealed it, so that it is to be sealed anew. */
  readonly isCurrent: boolean
}

/** Seals secrets with a ring of keys, for a store that is to be worth nothing alone: one seals, all open. */
export type SecretSeal = {
  /** With the current key, for this account alone. Twice gives two texts. */
  seal(secret: FactorSecret, account: AccountId): Promise<SealedSecret>
  /** `undefined` where no key of the ring opens it, where it was sealed for another account, and for any other text. */
  open(sealed: SealedSecret, account: AccountId): Promise<OpenedSecret | undefined>
}
