import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { PasswordHash } from '../../../../src/domain/identity/password.js'
import type { Instant } from '../../../../src/domain/instant.js'
import type { Accounts } from '../../../../src/ports/accounts.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('accounts')
const CHANGES = 'setDisabled disables and enables, and moves the epoch by one each time'
const DISABLED_TWICE = 'disabling a disabled account is unchanged, its instant and its epoch too'
const ENABLED_TWICE = 'enabling an enabled account is unchanged and ends no session'

export const brokenAccountLocks: readonly Breakage[] = [
  broken('disabling again writes the later instant', [DISABLED_TWICE], (inner) => {
    const instants = new Map<AccountId, Instant>()
    return {
      async find(id) {
        const account = await inner.find(id)
        const disabledAt = instants.get(id)
        return account && disabledAt !== undefined ? { ...account, disabledAt } : account
      },
      async setDisabled(id, at) {
        if (at === undefined) instants.delete(id)
        else instants.set(id, at)
        return await inner.setDisabled(id, at)
      },
    }
  }),
  broken('disabling again moves the epoch', [DISABLED_TWICE], (inner) => ({
    async setDisabled(id, at) {
      const answer = await inner.setDisabled(id, at)
      if (answer === 'unchanged' && at !== undefined) await bumpEpoch(inner, id)
      return answer
    },
  })),
  broken('enabling an enabled account moves the epoch', [ENABLED_TWICE], (inner) => ({
    async setDisabled(id, at) {
      const answer = await inner.setDisabled(id, at)
      if (answer === 'unchanged' && at === undefined) await bumpEpoch(inner, id)
      return answer
    },
  })),
  broken(
    'setDisabled does not tell what was so already',
    [DISABLED_TWICE, ENABLED_TWICE, 'of 16 setDisabled at once exactly one sets, and its instant stays'],
    (inner) => ({
      async setDisabled(id, at) {
        const answer = await inner.setDisabled(id, at)
        return answer === 'unchanged' ? 'set' : answer
      },
    }),
  ),
  broken('an unknown account counts as enabled', [CHANGES], (inner) => ({
    async setDisabled(id, at) {
      const answer = await inner.setDisabled(id, at)
      return answer === 'unknown' && at === undefined ? 'unchanged' : answer
    },
  })),
  broken(
    'setDisabled looks, then writes',
    ['of 16 setDisabled at once exactly one sets, and its instant stays'],
    (inner) => ({
      async setDisabled(id, at) {
        const account = await inner.find(id)
        if (!account) return 'unknown'
        if ((account.disabledAt === undefined) === (at === undefined)) return 'unchanged'
        await everybodyElse()
        await inner.setDisabled(id, at)
        return 'set'
      },
    }),
  ),
  broken(
    'enabling leaves the epoch, and logins do not look at the lock',
    [CHANGES, 'enabling wakes no session that was opened meanwhile'],
    (inner) => {
      const locked = new Set<AccountId>()
      return {
        async setDisabled(id, at) {
          if (!(await inner.find(id))) return 'unknown'
          if (locked.has(id) === (at !== undefined)) return 'unchanged'
          if (at === undefined) locked.delete(id)
          else locked.add(id)
          if (at !== undefined) await bumpEpoch(inner, id)
          return 'set'
        },
      }
    },
  ),
]

async function bumpEpoch(accounts: Accounts, id: AccountId): Promise<void> {
  const account = await accounts.find(id)
  await accounts.setPassword(id, account?.passwordHash ?? ('' as PasswordHash))
}
