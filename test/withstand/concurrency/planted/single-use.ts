import type { RecoveryDigest } from '../../../../src/domain/identity/second-factor.js'
import type { Store } from '../../../../src/ports/store.js'
import { gap } from './gap.js'

/** A reset token is looked at, and the password set later: who has lost meanwhile sets it as well. */
export function secondReset(store: Store): Store {
  const { accounts } = store
  return {
    ...store,
    accounts: {
      ...accounts,
      consumeResetToken: async (input) => {
        const account = await accounts.findByEmail(input.email)
        if (!account || !(await accounts.holdsResetToken(input.email, input.digest, input.at)))
          return undefined
        await gap()
        if ((await accounts.consumeResetToken(input)) === undefined)
          await accounts.setPassword(account.id, input.hash)
        return account.id
      },
    },
  }
}

/** Spent recovery codes are kept where they were spent, and that after they were taken. */
export function secondCode(store: Store): Store {
  const spent = new Set<RecoveryDigest>()
  return {
    ...store,
    secondFactors: {
      ...store.secondFactors,
      takeRecovery: async (id, digest) => {
        if (spent.has(digest)) return 'unknown'
        await gap()
        spent.add(digest)
        await store.secondFactors.takeRecovery(id, digest)
        return 'taken'
      },
    },
  }
}
