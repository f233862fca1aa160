import { accountFrom, bumpEpoch, compare, inOrder, nextId, takeOut, unknownRole } from '../state.js'

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('kennel-id').Epoch} Epoch
 */

/**
 * @param {State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').RequiredCalls<'accounts'>>}
 */
export function accountsOf(state) {
  const { accounts, proofs, sessions } = state
  const byId = (/** @type {number} */ id) => accounts.find((one) => one.id === id)
  const byEmail = (/** @type {string} */ email) => accounts.find((one) => one.email === email)

  const shown = (/** @type {typeof accounts[number] | undefined} */ row) => row && accountFrom(state, row)

  return {
    insert({ roles = [], ...account }) {
      // `duplicate-email` takes precedence over `unknown-role`.
      if (byEmail(account.email)) return { kind: 'duplicate-email' }
      const role = unknownRole(state, roles)
      if (role !== undefined) return { kind: 'unknown-role', role }
      const id = nextId(state, 'accounts')
      accounts.push({ ...account, id, epoch: /** @type {Epoch} */ (1), roles })
      return { kind: 'inserted', id }
    },
    findByEmail: (email) => shown(byEmail(email)),
    find: (id) => shown(byId(id)),
    page: (after, limit, order) =>
      inOrder(accounts, order)
        .filter(({ id }) => after === undefined || (order === 'newest-first' ? id < after : id > after))
        .slice(0, limit)
        .map((one) => accountFrom(state, one)),
    search: ({ start = '', role, onlyDisabled = false, after = '', limit }) =>
      accounts
        .filter(({ email }) => email.startsWith(start) && email > after)
        .filter(({ roles }) => role === undefined || roles.includes(role))
        .filter(({ disabledAt }) => !onlyDisabled || disabledAt !== undefined)
        .sort((one, other) => compare(one.email, other.email))
        .slice(0, limit)
        .map((one) => accountFrom(state, one)),
    replaceHash(id, expected, next) {
      const account = byId(id)
      if (account?.passwordHash !== expected) return 'changed'
      account.passwordHash = next
      return 'replaced'
    },
    setPassword(id, hash) {
      const account = byId(id)
      if (!account) return 'unknown'
      account.passwordHash = hash
      bumpEpoch(state, account)
      return 'set'
    },
    changePassword({ id, expected, next }) {
      const account = byId(id)
      if (account?.passwordHash !== expected || account.disabledAt !== undefined) return undefined
      account.passwordHash = next
      bumpEpoch(state, account)
      return account.epoch
    },
    changeEmail({ id, email, enteredEmail }) {
      const account = byId(id)
      if (!account) return 'unknown'
      if ((byEmail(email) ?? account) !== account) return 'email-taken'
      account.email = email
      if (enteredEmail === undefined) delete account.enteredEmail
      else account.enteredEmail = enteredEmail
      bumpEpoch(state, account)
      return 'changed'
    },
    setDisabled(id, at, since) {
      const account = byId(id)
      if (!account) return 'unknown'
      const { disabledAt } = account
      if (since === undefined ? (disabledAt === undefined) === (at === undefined) : disabledAt !== since) {
        return 'unchanged'
      }
      if (at === undefined) delete account.disabledAt
      else account.disabledAt = at
      bumpEpoch(state, account)
      return 'set'
    },
    remove(id, epoch) {
      const isMeant = (/** @type {typeof accounts[number]} */ one) =>
        one.id === id && one.epoch === (epoch ?? one.epoch)
      if (takeOut(accounts, isMeant, 1) === 0) return 'unknown'
      takeOut(sessions, (one) => one.accountId === id || one.actor?.accountId === id, Infinity)
      takeOut(proofs, ({ accountId }) => accountId === id, Infinity)
      return 'removed'
    },
  }
}
