import type { Account, AccountId, Epoch } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../../src/domain/identity/password.js'
import type { Instant } from '../../../../src/domain/instant.js'
import type { NewAccount } from '../../../../src/ports/accounts.js'
import { breakageOf, everybodyElse, idsInBlocks, nullFor, type Breakage } from '../breakage.js'

const broken = breakageOf('accounts')
const KILLS_BY_PASSWORD = 'setPassword ends every session of the account and of no other'
const REMOVES = 'remove takes the account and its sessions away, and nothing else'

const BACK = 'pages walk back over all accounts where the newest come first'

export const brokenAccounts: readonly Breakage[] = [
  broken(
    'the email is looked up before it is inserted, without a unique index',
    ['of 16 inserts of one email at once exactly one is inserted'],
    (inner) => {
      let copies = 0
      return {
        async insert(account) {
          if (await inner.findByEmail(account.email)) return { kind: 'duplicate-email' }
          await everybodyElse()
          const answer = await inner.insert(account)
          copies += 1
          return answer.kind === 'inserted'
            ? answer
            : await inner.insert({ ...account, email: `${account.email}#${copies}` as Email })
        },
      }
    },
  ),
  broken(
    'an insert of a known email writes over it',
    ['a second insert of an email is refused and changes nothing'],
    (inner) => ({
      async insert(account) {
        const found = await inner.findByEmail(account.email)
        if (!found) return await inner.insert(account)
        await inner.setPassword(found.id, account.passwordHash ?? ('' as PasswordHash))
        return { kind: 'inserted', id: found.id }
      },
    }),
  ),
  broken('epochs start at 0', ['insert makes an account with epoch 1 and no roles'], (inner) => ({
    find: async (id) => withEpochLess(await inner.find(id)),
    findByEmail: async (email) => withEpochLess(await inner.findByEmail(email)),
  })),
  broken(
    'a missing password is kept as an empty one',
    ['an account without a password has none'],
    (inner) => ({
      insert: (account) => inner.insert({ passwordHash: '' as PasswordHash, ...account }),
    }),
  ),
  broken(
    'each connection has a block of ids',
    ['of accounts made at once, one that was begun after another was acknowledged has the greater id'],
    (inner) => {
      const inBlocks = idsInBlocks()
      return { insert: (account) => inBlocks(() => inner.insert(account)) }
    },
  ),
  broken(
    'pages come from a replica that lags behind',
    ['walks beside inserts show every account that was acknowledged before, ascending and once'],
    (inner) => {
      const late = new Set<AccountId>()
      return {
        async insert(account) {
          const answer = await inner.insert(account)
          if (answer.kind === 'inserted') {
            late.add(answer.id)
            void everybodyElse().then(() => late.delete(answer.id))
          }
          return answer
        },
        page: async (...inputs) => (await inner.page(...inputs)).filter(({ id }) => !late.has(id)),
      }
    },
  ),
  broken('absence is null', ['an account that is not there is undefined'], (inner) => ({
    find: async (id) => nullFor(await inner.find(id)),
  })),
  broken(
    'emails are looked up without regard to case',
    ['an account that is not there is undefined'],
    (inner) => ({
      findByEmail: (email) => inner.findByEmail(email.toLowerCase() as Email),
    }),
  ),
  broken('emails are normalised', ['emails and hashes are kept exactly'], (inner) => ({
    insert: (account) => inner.insert({ ...account, email: account.email.normalize('NFC') as Email }),
  })),
  broken(
    'the id of the last account is given again after its removal',
    [
      'ids increase and are not used again after remove',
      'a new account of a removed email has another id and no roles',
    ],
    (inner) => {
      const real = new Map<AccountId, AccountId>()
      let free: AccountId | undefined
      const realOf = (id: AccountId) => real.get(id) ?? id
      return {
        async insert(account) {
          const answer = await inner.insert(account)
          if (answer.kind !== 'inserted' || free === undefined) return answer
          real.set(free, answer.id)
          return { kind: 'inserted', id: free }
        },
        async find(id) {
          const account = await inner.find(realOf(id))
          return account && { ...account, id }
        },
        async remove(id) {
          free = id
          return await inner.remove(realOf(id))
        },
      }
    },
  ),
  broken(
    'roles are left out of look-ups by email',
    ['every read gives the roles in the order of their keys'],
    (inner) => ({
      async findByEmail(email) {
        const account = await inner.findByEmail(email)
        return account && { ...account, roles: [] }
      },
    }),
  ),
  broken(
    'roles come in the order in which they were given',
    ['every read gives the roles in the order of their keys'],
    (inner) => ({
      async find(id) {
        const account = await inner.find(id)
        return account && { ...account, roles: account.roles.toReversed() }
      },
    }),
  ),
  broken('pages start at the beginning', ['pages walk over all accounts in ascending order'], (inner) => ({
    page: (_, limit, order) => inner.page(undefined, limit, order),
  })),
  broken('pages know one order', [BACK], (inner) => ({
    page: (after, limit) => inner.page(after, limit),
  })),
  broken('a page that goes back begins with the account that it goes on behind', [BACK], (inner) => ({
    page: (after, limit, order) =>
      inner.page(order === 'newest-first' && after ? ((after + 1) as AccountId) : after, limit, order),
  })),
  broken('a page that goes back has the first accounts, turned round', [BACK], (inner) => ({
    page: async (after, limit, order) =>
      order === 'newest-first' && after === undefined
        ? (await inner.page(after, limit)).toReversed()
        : await inner.page(after, limit, order),
  })),
  broken('pages take the count for the id', ['pages walk over all accounts in ascending order'], (inner) => ({
    page: async (after, limit) =>
      (await inner.page(undefined, 1_000)).slice(after ?? 0, (after ?? 0) + limit),
  })),
  broken('replaceHash does not compare', ['replaceHash writes over the expected hash only'], (inner) => ({
    async replaceHash(id, _, next) {
      const account = await inner.find(id)
      return account?.passwordHash === undefined
        ? 'changed'
        : await inner.replaceHash(id, account.passwordHash, next)
    },
  })),
  broken(
    'replaceHash compares, then writes',
    ['of 16 replaceHash with one expected hash at once exactly one replaces'],
    (inner) => ({
      async replaceHash(id, expected, next) {
        const account = await inner.find(id)
        if (account?.passwordHash !== expected) return 'changed'
        await everybodyElse()
        await inner.setPassword(id, next)
        return 'replaced'
      },
    }),
  ),
  broken('replaceHash moves the epoch', ['replaceHash moves no epoch and ends no session'], (inner) => ({
    async replaceHash(id, expected, next) {
      const answer = await inner.replaceHash(id, expected, next)
      if (answer === 'replaced') await inner.setPassword(id, next)
      return answer
    },
  })),
  broken(
    'setPassword leaves the epoch',
    [
      'setPassword sets the hash and moves the epoch by one',
      KILLS_BY_PASSWORD,
      'sessions: a session that is opened with an earlier epoch is never active',
      'sessions: refreshes that race a password change leave nothing active',
    ],
    (inner) => ({
      async setPassword(id, hash) {
        const account = await inner.find(id)
        if (account?.passwordHash === undefined) return 'unknown'
        await inner.replaceHash(id, account.passwordHash, hash)
        return 'set'
      },
    }),
  ),
  broken('setPassword ends the sessions of everybody', [KILLS_BY_PASSWORD], (inner, store) => ({
    async setPassword(id, hash) {
      for (const account of await inner.page(undefined, 100)) await store.sessions.endAllOf(account.id)
      return await inner.setPassword(id, hash)
    },
  })),
  broken(
    'setPassword drops a second change at once',
    ['of 16 setPassword at once each moves the epoch'],
    (inner) => {
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
    },
  ),
  broken(
    'setDisabled is a mark that sessions do not look at',
    [
      'setDisabled disables and enables, and moves the epoch by one each time',
      'disabling ends every session of the account and of no other',
      'enabling restores no earlier session',
      'sessions: a session that is opened for a disabled account is not active',
      'sessions: refreshes that race a lock leave nothing active',
    ],
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
    [
      REMOVES,
      'a new account of a removed email has another id and no roles',
      'sessions: a session can be opened for a removed account and is not active',
      'sessions: logins and refreshes that race a removal leave nothing active',
    ],
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
    'an account is kept as it was passed in',
    ['changing what was passed in or handed out changes nothing in the store'],
    (inner) => {
      const kept = new Map<Email, NewAccount>()
      return {
        async insert(account) {
          kept.set(account.email, account)
          return await inner.insert(account)
        },
        async findByEmail(email) {
          const account = await inner.findByEmail(email)
          return account && { ...account, ...kept.get(email), roles: account.roles }
        },
      }
    },
  ),
]

function withEpochLess(account: Account | undefined): Account | undefined {
  return account && { ...account, epoch: (account.epoch - 1) as Epoch }
}
