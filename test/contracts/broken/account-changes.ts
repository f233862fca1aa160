import type { Account, AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { Instant } from '../../../src/domain/instant.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import { breakageOf, everybodyElse, nullFor, type Breakage, breakageOfStore } from './breakage.js'
import type { Store } from '../../../src/ports/store.js'

const broken = breakageOf('accounts')
const NO_EPOCH = 'replaceHash moves no epoch and ends no session'
const STAYS = 'what moves no epoch leaves a reset token in force'
const HASH_RACE = 'of 16 replaceHash with one expected hash at once exactly one replaces'
const PASSWORD_RACE = 'of 16 setPassword at once each moves the epoch'
const LOCK_RACE = 'of 16 setDisabled at once exactly one sets, and its instant stays'
const SETS_PASSWORD = 'setPassword sets the hash and moves the epoch by one'
const OPENED_EARLIER = 'sessions: a session that is opened with an earlier epoch is never active'
const PASSWORD_REFRESHES = 'sessions: refreshes that race a password change leave nothing active'
const KILLS_BY_LOCK = 'disabling ends every session of the account and of no other'
const RESTORES = 'enabling restores no earlier session'
const OPENED_LOCKED = 'sessions: a session that is opened for a disabled account is not active'
const LOCK_REFRESHES = 'sessions: refreshes that race a lock leave nothing active'
const NEW = 'a new account of a removed email has another id and no roles'
const OPENED_REMOVED = 'sessions: a session can be opened for a removed account and is not active'
const REMOVAL_RACE = 'sessions: logins and refreshes that race a removal leave nothing active'
const WAKES = 'enabling wakes no session that was opened meanwhile'
const KILLS_BY_PASSWORD = 'setPassword ends every session of the account and of no other'
const REMOVES = 'remove takes the account and its sessions away, and nothing else'
const CHANGES = 'setDisabled disables and enables, and moves the epoch by one each time'
const DISABLED_TWICE = 'disabling a disabled account is unchanged, its instant and its epoch too'
const ENABLED_TWICE = 'enabling an enabled account is unchanged and ends no session'
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
const EPOCH = 'remove with an epoch takes the account only while it has that one, else nothing of it'
const RACE_REMOVAL = 'of 16 removes of one account at once exactly one removes it'
const ENDS_REMOVAL = 'resetTokenEnds tells when each reset token that is kept ends, as they were issued'

export const brokenAccountChanges: readonly Breakage[] = [
  broken('replaceHash does not compare', ['replaceHash writes over the expected hash only'], (inner) => ({
    async replaceHash(id, _, next) {
      const account = await inner.find(id)
      return account?.passwordHash === undefined
        ? 'changed'
        : await inner.replaceHash(id, account.passwordHash, next)
    },
  })),
  broken('replaceHash compares, then writes', [HASH_RACE], (inner) => ({
    async replaceHash(id, expected, next) {
      const account = await inner.find(id)
      if (account?.passwordHash !== expected) return 'changed'
      await everybodyElse()
      await inner.setPassword(id, next)
      return 'replaced'
    },
  })),
  broken('replaceHash moves the epoch', [NO_EPOCH, STAYS], (inner) => ({
    async replaceHash(id, expected, next) {
      const answer = await inner.replaceHash(id, expected, next)
      if (answer === 'replaced') await inner.setPassword(id, next)
      return answer
    },
  })),
  broken(
    'setPassword leaves the epoch',
    [SETS_PASSWORD, KILLS_BY_PASSWORD, OPENED_EARLIER, PASSWORD_REFRESHES],
    (inner) => ({
      async setPassword(id, hash) {
        const account = await inner.find(id)
        if (account?.passwordHash === undefined) return 'unknown'
        await inner.replaceHash(id, account.passwordHash, hash)
        return 'set'
      },
    }),
  ),
  broken('setPassword drops a second change at once', [PASSWORD_RACE], (inner) => {
    let busy = false
    return {
      async setPassword(id, hash) {
        if (busy) return 'set'
        busy = true
        await everybodyElse()
        busy = false
        return await inner.setPassword(id, hash)
      },
    }
  }),
  broken(
    'setDisabled is a mark that sessions do not look at',
    [CHANGES, KILLS_BY_LOCK, RESTORES, OPENED_LOCKED, LOCK_REFRESHES],
    (inner) => {
      const marks = new Map<AccountId, Instant>()
      return {
        async find(id) {
          const account = await inner.find(id)
          const disabledAt = marks.get(id)
          return account && disabledAt !== undefined ? { ...account, disabledAt } : account
        },
        async setDisabled(id, at) {
          if (!(await inner.find(id))) return 'unknown'
          if (at === undefined) marks.delete(id)
          else marks.set(id, at)
          return 'set'
        },
      }
    },
  ),
  broken(
    'remove hides the account and keeps its rows',
    [REMOVES, NEW, OPENED_REMOVED, REMOVAL_RACE],
    (inner) => {
      const hidden = new Set<AccountId>()
      const shown = (account: Account | undefined) =>
        account && hidden.has(account.id) ? undefined : account
      return {
        async insert(account) {
          const answer = await inner.insert(account)
          const found = await inner.findByEmail(account.email)
          return found && hidden.delete(found.id) ? { kind: 'inserted', id: found.id } : answer
        },
        find: async (id) => shown(await inner.find(id)),
        findByEmail: async (email) => shown(await inner.findByEmail(email)),
        async remove(id) {
          if (hidden.has(id)) return 'unknown'
          hidden.add(id)
          return 'removed'
        },
      }
    },
  ),
  broken(
    'setDisabled does not tell what was so already',
    [DISABLED_TWICE, ENABLED_TWICE, LOCK_RACE],
    (inner) => ({
      async setDisabled(id, at) {
        const answer = await inner.setDisabled(id, at)
        return answer === 'unchanged' ? 'set' : answer
      },
    }),
  ),
  broken('setDisabled looks, then writes', [LOCK_RACE], (inner) => ({
    async setDisabled(id, at) {
      const account = await inner.find(id)
      if (!account) return 'unknown'
      if ((account.disabledAt === undefined) === (at === undefined)) return 'unchanged'
      await everybodyElse()
      await inner.setDisabled(id, at)
      return 'set'
    },
  })),
  broken('enabling leaves the epoch, and logins do not look at the lock', [CHANGES, WAKES], (inner) => {
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
  }),
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
  broken('changePassword compares, then writes', [RACE], (inner) => ({
    async changePassword({ id, expected, next }) {
      const account = await inner.find(id)
      await everybodyElse()
      if (account?.passwordHash !== expected || account.disabledAt !== undefined) return undefined
      await inner.setPassword(id, next)
      return epochOf(account) && ((account.epoch + 1) as Epoch)
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
  broken('remove does not look at the epoch', [EPOCH], (inner) => ({ remove: (id) => inner.remove(id) })),
  broken('remove looks, then removes', [RACE_REMOVAL], (inner) => ({
    async remove(id, epoch) {
      const account = await inner.find(id)
      if (!account || (epoch ?? account.epoch) !== account.epoch) return 'unknown'
      await everybodyElse()
      await inner.remove(id)
      return 'removed'
    },
  })),
  broken('resetTokenEnds tells nothing', [ENDS_REMOVAL], () => ({ resetTokenEnds: async () => [] })),
]

async function bumpEpoch(accounts: Accounts, id: AccountId): Promise<void> {
  const account = await accounts.find(id)
  await accounts.setPassword(id, account?.passwordHash ?? ('' as PasswordHash))
}

function epochOf(account: { readonly epoch: Epoch } | undefined): Epoch | undefined {
  return account?.epoch
}

async function endStored(sessions: Store['sessions'], accountId: AccountId): Promise<void> {
  for (const { id } of await sessions.pageOf({ accountId, limit: 100, at: 0 })) await sessions.end(id)
}
