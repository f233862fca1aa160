import type { SyncPort } from '../../application/wrap-port.js'
import type { Epoch } from '../../domain/identity/account.js'
import type { RequiredCalls } from '../../ports/calls/store.js'
import { bumpEpoch, rolesOfKeys, type State } from './state.js'

const FIRST_EPOCH = 1 as Epoch

/** Implements the required calls for accounts in memory; `completePort` adds fallbacks for the optional calls. */
export function memoryAccounts(state: State): SyncPort<RequiredCalls<'accounts'>> {
  const { accounts, passkeys, proofs, secondFactors, sessions } = state

  return {
    insert({ roles: wanted = [], ...account }) {
      if (accounts.withEmail(account.email)) return { kind: 'duplicate-email' }
      const found = rolesOfKeys(state, wanted)
      if ('unknown' in found) return { kind: 'unknown-role', role: found.unknown }
      const id = accounts.add((fresh) => ({ ...account, id: fresh, epoch: FIRST_EPOCH, roles: found.roles }))
      return { kind: 'inserted', id }
    },
    findByEmail: (email) => accounts.withEmail(email),
    find: (id) => accounts.get(id),
    page: (after, limit, order) => accounts.page(after, limit, order),
    search: (search) => accounts.search(search),
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
    changeEmail({ id, email, enteredEmail }) {
      const before = accounts.get(id)
      if (!before) return 'unknown'
      if ((accounts.withEmail(email) ?? before).id !== id) return 'email-taken'
      const { enteredEmail: _, sharedEmail: __, ...rest } = before
      bumpEpoch(state, { ...rest, email, ...(enteredEmail !== undefined && { enteredEmail }) })
      return 'changed'
    },
    setDisabled(id, at, since) {
      const before = accounts.get(id)
      if (!before) return 'unknown'
      const { disabledAt, ...enabled } = before
      const isExpected =
        since === undefined ? (disabledAt === undefined) !== (at === undefined) : disabledAt === since
      if (!isExpected) return 'unchanged'
      bumpEpoch(state, at === undefined ? enabled : { ...enabled, disabledAt: at })
      return 'set'
    },
    remove(id, epoch) {
      if (epoch !== undefined && accounts.get(id)?.epoch !== epoch) return 'unknown'
      if (!accounts.delete(id)) return 'unknown'
      secondFactors.delete(id)
      for (const passkey of [...passkeys.values()].filter(({ accountId }) => accountId === id))
        passkeys.delete(passkey.id)
      for (const proof of [...proofs.values()].filter(({ accountId }) => accountId === id))
        proofs.delete(proof.id)
      for (const session of [...sessions.ofAccount(id), ...sessions.ofActor(id)]) sessions.remove(session)
      return 'removed'
    },
  }
}
