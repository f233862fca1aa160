import type { SyncPort } from '../../application/wrap-port.js'
import type { AccountId } from '../../domain/identity/account.js'
import { byCreation, PASSKEYS_MAX, type Passkey, type PasskeyId } from '../../domain/identity/passkey.js'
import type { Passkeys } from '../../ports/passkeys.js'
import type { State } from './state.js'

/** Passkeys in memory. */
export function memoryPasskeys({ accounts, passkeys }: State): SyncPort<Passkeys> {
  const listOf = (id: AccountId) =>
    [...passkeys.values()].filter(({ accountId }) => accountId === id).sort(byCreation)

  function ofAccount(accountId: AccountId, id: PasskeyId): Passkey | undefined {
    const passkey = passkeys.get(id)
    return passkey?.accountId === accountId ? passkey : undefined
  }

  return {
    add(passkey, epoch) {
      const account = accounts.get(passkey.accountId)
      if (account?.epoch !== epoch || account.disabledAt !== undefined) return 'changed'
      if (listOf(account.id).length >= PASSKEYS_MAX) return 'full'
      if (passkeys.has(passkey.id)) return 'taken'
      passkeys.set(passkey.id, passkey)
      return 'added'
    },
    find: (id) => passkeys.get(id),
    listOf,
    use(id, { counter, backedUp, at }) {
      const before = passkeys.get(id)
      if (!before) return 'unknown'
      if (counter <= before.counter && (counter > 0 || before.counter > 0)) return 'rewound'
      passkeys.set(id, { ...before, counter, backedUp, lastUsedAt: at })
      return 'used'
    },
    rename(accountId, id, name) {
      const before = ofAccount(accountId, id)
      if (!before) return 'unknown'
      passkeys.set(id, { ...before, name })
      return 'renamed'
    },
    remove(accountId, id) {
      if (!ofAccount(accountId, id)) return 'unknown'
      const hasPassword = accounts.get(accountId)?.passwordHash !== undefined
      if (!hasPassword && listOf(accountId).length === 1) return 'last-way'
      passkeys.delete(id)
      return 'removed'
    },
  }
}
