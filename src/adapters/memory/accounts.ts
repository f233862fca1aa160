import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import { copyOfAccount } from './copies.js'
import { accountOfEmail, type State } from './state.js'
import type { Steps } from './steps.js'

const FIRST_EPOCH = 1 as Epoch

export function memoryAccounts(state: State): Steps<Accounts> {
  const { accounts, accountIds, sessions } = state

  function change(id: AccountId, make: (before: Account) => Account): 'set' | 'unknown' {
    const before = accounts.get(id)
    if (!before) return 'unknown'
    accounts.replace(id, make(before))
    return 'set'
  }

  return {
    insert(account) {
      if (accountIds.has(account.email)) return { kind: 'duplicate-email' }
      const id = accounts.add((fresh) => ({ ...account, id: fresh, epoch: FIRST_EPOCH, roles: [] }))
      accountIds.set(account.email, id)
      return { kind: 'inserted', id }
    },
    findByEmail: (email) => copied(accountOfEmail(state, email)),
    find: (id) => copied(accounts.get(id)),
    page: (after, limit) => accounts.page(after, limit).map(copyOfAccount),
    replaceHash(id, expected, next) {
      const before = accounts.get(id)
      if (before?.passwordHash !== expected) return 'changed'
      accounts.replace(id, { ...before, passwordHash: next })
      return 'replaced'
    },
    setPassword: (id, hash) =>
      change(id, (before) => ({ ...before, passwordHash: hash, epoch: following(before.epoch) })),
    setDisabled: (id, at) =>
      change(id, ({ disabledAt: _, ...before }) => {
        const moved = { ...before, epoch: following(before.epoch) }
        return at === undefined ? moved : { ...moved, disabledAt: at }
      }),
    remove(id) {
      const account = accounts.get(id)
      if (!account) return 'unknown'
      accounts.delete(id)
      accountIds.delete(account.email)
      for (const session of sessions.ofAccount(id)) sessions.remove(session)
      return 'removed'
    },
  }
}

function copied(account: Account | undefined): Account | undefined {
  return account && copyOfAccount(account)
}

function following(epoch: Epoch): Epoch {
  return (epoch + 1) as Epoch
}
