import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { ResetDigest } from '../../domain/identity/reset-token.js'
import type { Instant } from '../../domain/instant.js'
import type { Accounts } from '../../ports/accounts.js'
import { accountOfEmail, bumpEpoch, type State } from './state.js'
import type { Steps } from './steps.js'

type PasswordResets = Pick<Steps<Accounts>, 'offerReset' | 'holdsReset' | 'redeemReset'>

export function memoryPasswordResets(state: State): PasswordResets {
  const { accounts, resetOffers } = state

  /** The account whose password this offer lets reset at the moment. */
  function resettable(email: Email, digest: ResetDigest, at: Instant): Account | undefined {
    const account = accountOfEmail(state, email)
    const offer = account && resetOffers.get(account.id)
    if (!offer || account.disabledAt !== undefined || offer.epoch !== account.epoch) return undefined
    return offer.digest === digest && at < offer.until ? account : undefined
  }

  return {
    offerReset(id, epoch, { digest, until }) {
      const account = accounts.get(id)
      if (account?.epoch !== epoch || account.disabledAt !== undefined) return 'changed'
      resetOffers.set(id, { digest, until, epoch })
      return 'offered'
    },
    holdsReset: (email, digest, at) => resettable(email, digest, at) !== undefined,
    redeemReset({ email, digest, at, hash }) {
      const before = resettable(email, digest, at)
      if (!before) return undefined
      bumpEpoch(state, { ...before, passwordHash: hash })
      resetOffers.delete(before.id)
      return before.id
    },
  }
}
