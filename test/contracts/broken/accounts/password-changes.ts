import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { Epoch } from '../../../../src/domain/identity/account.js'
import type { Store } from '../../../../src/ports/store.js'
import { breakageOf, breakageOfStore, everybodyElse, nullFor, type Breakage } from '../breakage.js'

const broken = breakageOf('accounts')
const SETS = 'changePassword sets the hash, moves the epoch by one and returns it'
const OTHER = 'changePassword changes nothing where the hash is another one by now'
const LOCKED = 'changePassword changes nothing of an account that is disabled, unknown or has no password'
const ENDS = 'changePassword ends every session of the account and of no other'
const VOIDS = 'changePassword voids a reset token'
const RACE = 'of 16 changePassword with one expected hash at once exactly one changes it'
const REFRESHES = 'sessions: refreshes that race changePassword leave nothing active'
const ACTING = 'sessions: changePassword of the actor ends the sessions in which it acts and no other'
const ACTED_IN = 'sessions: what ends the sessions of the account ends those in which another acts as it'
const POINT = 'sessions: no login dies that began after an effect of changePassword was seen'

/** What is wrong about the change of a password by its owner. */
export const brokenPasswordChanges: readonly Breakage[] = [
  broken('changePassword only says so', [SETS, ENDS, VOIDS, RACE, ACTING, ACTED_IN], (inner) => ({
    async changePassword({ id, expected }) {
      const account = await inner.find(id)
      return account?.passwordHash === expected ? ((account.epoch + 1) as Epoch) : undefined
    },
  })),
  broken(
    'changePassword bumps no epoch',
    [SETS, ENDS, VOIDS, RACE, REFRESHES, ACTING, ACTED_IN],
    (inner) => ({
      async changePassword({ id, expected, next }) {
        if ((await inner.replaceHash(id, expected, next)) === 'changed') return undefined
        return epochOf(await inner.find(id))
      },
    }),
  ),
  broken('changePassword does not compare', [OTHER, LOCKED, RACE], (inner) => ({
    async changePassword({ id, next }) {
      return (await inner.setPassword(id, next)) === 'set' ? epochOf(await inner.find(id)) : undefined
    },
  })),
  broken('changePassword compares, then writes', [RACE], (inner) => ({
    async changePassword({ id, expected, next }) {
      const account = await inner.find(id)
      await everybodyElse()
      if (account?.passwordHash !== expected || account.disabledAt !== undefined) return undefined
      await inner.setPassword(id, next)
      return epochOf(account) && ((account.epoch + 1) as Epoch)
    },
  })),
  broken('changePassword unlocks a disabled account', [LOCKED], (inner) => ({
    async changePassword(change) {
      await inner.setDisabled(change.id, undefined)
      return await inner.changePassword(change)
    },
  })),
  broken('changePassword gives the epoch that is over', [SETS, VOIDS, RACE], (inner) => ({
    async changePassword(change) {
      const epoch = await inner.changePassword(change)
      return epoch && ((epoch - 1) as Epoch)
    },
  })),
  broken('changePassword of a hash that has changed is null', [OTHER, LOCKED], (inner) => ({
    changePassword: async (change) => nullFor(await inner.changePassword(change)),
  })),
  breakageOfStore('changePassword ends what is stored later', [POINT], ({ accounts, sessions }) => ({
    accounts: {
      ...accounts,
      async changePassword(change) {
        const epoch = await accounts.changePassword(change)
        await everybodyElse()
        if (epoch) await endStored(sessions, change.id)
        return epoch
      },
    },
  })),
]

function epochOf(account: { readonly epoch: Epoch } | undefined): Epoch | undefined {
  return account?.epoch
}

async function endStored(sessions: Store['sessions'], accountId: AccountId): Promise<void> {
  for (const { id } of await sessions.pageOf({ accountId, limit: 100, at: 0 })) await sessions.end(id)
}
