import { compare } from '../state.js'
import { isGood } from './api-keys.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Roles>}
 */
export function rolesPortOf({ accounts, roles, apiKeys }) {
  /** Returns the account, or the reason if the account or the role does not exist. */
  function holder(/** @type {string} */ email, /** @type {string} */ key) {
    const account = accounts.find((one) => one.email === email)
    if (!account) return 'unknown-account'
    return roles.some((role) => role.key === key) ? account : 'unknown-role'
  }

  return {
    insert(role) {
      if (roles.some(({ key }) => key === role.key)) return 'duplicate-key'
      roles.push(role)
      return 'inserted'
    },
    list: () => roles.toSorted((one, other) => compare(one.key, other.key)),
    remove(key, at) {
      const index = roles.findIndex((role) => role.key === key)
      if (index === -1) return 'unknown'
      const held = apiKeys.filter((one) => one.roles.includes(key))
      if (accounts.some((one) => one.roles.includes(key)) || held.some((one) => isGood(one, at)))
        return 'held'
      for (const one of held) one.roles = one.roles.filter((role) => role !== key)
      roles.splice(index, 1)
      return 'removed'
    },
    assign(email, key) {
      const account = holder(email, key)
      if (typeof account === 'string') return account
      if (account.roles.includes(key)) return 'already-assigned'
      account.roles = [...account.roles, key]
      return 'assigned'
    },
    unassign(email, key) {
      const account = holder(email, key)
      if (typeof account === 'string') return account
      if (!account.roles.includes(key)) return 'not-assigned'
      account.roles = account.roles.filter((one) => one !== key)
      return 'unassigned'
    },
  }
}
