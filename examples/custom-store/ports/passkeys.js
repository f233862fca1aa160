import { PASSKEYS_MAX } from 'kennel-id/ports'
import { activeAccount, compare } from '../state.js'

/**
 * Each account's row contains its passkeys, so removing the account also removes the passkeys.
 *
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Passkeys>}
 */
export function passkeysOf(state) {
  const all = () =>
    state.accounts.flatMap(({ id: accountId, passkeys = [] }) =>
      passkeys.map((one) => ({ ...one, accountId })),
    )

  const find = (/** @type {string} */ wanted) => all().find(({ id }) => id === wanted)

  /**
   * @param {import('kennel-id').AccountId} accountId
   * @param {string} wanted
   */
  function ownOf(accountId, wanted) {
    const row = state.accounts.find(({ id }) => id === accountId)
    const passkeys = row?.passkeys ?? []
    const own = passkeys.find(({ id }) => id === wanted)
    return row && own && { row, passkeys, own }
  }

  return {
    add({ accountId, ...passkey }, epoch) {
      const row = activeAccount(state, { accountId, epoch })
      if (!row) return 'changed'
      const passkeys = row.passkeys ?? []
      if (passkeys.length >= PASSKEYS_MAX) return 'full'
      if (find(passkey.id)) return 'taken'
      row.passkeys = [...passkeys, passkey].sort(
        (one, other) => compare(one.createdAt, other.createdAt) || compare(one.id, other.id),
      )
      return 'added'
    },
    find,
    listOf: (wanted) => all().filter(({ accountId }) => accountId === wanted),
    use(id, { counter, backedUp, at }) {
      const before = find(id)
      const found = before && ownOf(before.accountId, id)
      if (!found) return 'unknown'
      // An authenticator without a signature counter always sends 0.
      if (counter <= found.own.counter && (counter > 0 || found.own.counter > 0)) return 'rewound'
      Object.assign(found.own, { counter, backedUp, lastUsedAt: at })
      return 'used'
    },
    rename(accountId, id, name) {
      const found = ownOf(accountId, id)
      if (!found) return 'unknown'
      Object.assign(found.own, { name })
      return 'renamed'
    },
    remove(accountId, id) {
      const found = ownOf(accountId, id)
      if (!found) return 'unknown'
      const { row, passkeys, own } = found
      if (row.passwordHash === undefined && passkeys.length === 1) return 'last-way'
      row.passkeys = passkeys.filter((one) => one !== own)
      return 'removed'
    },
  }
}
