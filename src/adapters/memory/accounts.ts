import type { Account, Epoch } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { copyOfAccount } from './copies.js'
import { memoryPasswordResets } from './password-resets.js'
import { accountOfEmail, bumpEpoch, rolesOfKeys, type State } from './state.js'

const FIRST_EPOCH = 1 as Epoch

export function memoryAccounts(state: State): SyncPort<Accounts> {
  const { accounts, accountIds, resetTokens, secondFactors, sessions } = state

  return {
    insert({ roles: wanted = [], ...account }) {
      if (accountIds.has(account.email)) return { kind: 'duplicate-email' }
      const found = rolesOfKeys(state, wanted)
      if ('unknown' in found) return { kind: 'unknown-role', role: found.unknown }
      const id = accounts.add((fresh) => ({ ...account, id: fresh, epoch: FIRST_EPOCH, roles: found.roles }))
      accountIds.set(account.email, id)
      return { kind: 'inserted', id }
    },
    findByEmail: (email) => copied(accountOfEmail(state, email)),
    find: (id) => copied(accounts.get(id)),
    page: (after, limit, order) => accounts.page(after, limit, order).map(copyOfAccount),
    replaceHash(id, expected, next) {
      const before = accounts.get(id)
      if (before?.passwordHash !== expected) return 'changed'
      accounts.replace(id, { ...before, passwordHash: next })
      return 'replaced'
    },
    setPassword(id, hash) {
      const before = accounts.get(id)
      if (!before) return 'unknown'
      bumpEpoch(state, { ...before, passwordHash: hash })
      return 'set'
    },
    changePassword({ id, expected, next }) {
      const before = accounts.get(id)
      if (before?.passwordHash !== expected || before.disabledAt !== undefined) return undefined
      bumpEpoch(state, { ...before, passwordHash: next })
      return accounts.get(id)?.epoch
    },
    setDisabled(id, at) {
      const before = accounts.get(id)
      if (!before) return 'unknown'
      const { disabledAt, ...enabled } = before
      if ((disabledAt === undefined) === (at === undefined)) return 'unchanged'
      bumpEpoch(state, at === undefined ? enabled : { ...enabled, disabledAt: at })
      return 'set'
    },
    ...memoryPasswordResets(state),
    remove(id) {
      const account = accounts.get(id)
      if (!account) return 'unknown'
      accounts.delete(id)
      accountIds.delete(account.email)
      resetTokens.delete(id)
      secondFactors.delete(id)
      for (const session of sessions.ofAccount(id)) sessions.remove(session)
      return 'removed'
    },
  }
}

function copied(account: Account | undefined): Account | undefined {
  return account && copyOfAccount(account)
}
