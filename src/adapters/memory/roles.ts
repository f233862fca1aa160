import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Roles } from '../../ports/roles.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { byKey, copyOfRoles } from './copies.js'
import type { State } from './state.js'

type Pair = { readonly account: Account; readonly role: Role }

export function memoryRoles(state: State): SyncPort<Roles> {
  const { accounts, roles } = state

  function pairOf(email: Email, key: RoleKey): Pair | 'unknown-account' | 'unknown-role' {
    const account = accounts.withEmail(email)
    if (!account) return 'unknown-account'
    const role = roles.get(key)
    return role ? { account, role } : 'unknown-role'
  }

  function give(account: Account, memberships: readonly Role[]): void {
    accounts.replace(account.id, { ...account, roles: memberships })
  }

  return {
    insert(role) {
      if (roles.has(role.key)) return 'duplicate-key'
      roles.set(role.key, { ...role })
      return 'inserted'
    },
    list: () => copyOfRoles([...roles.values()].sort(byKey)),
    assign(email, key) {
      const pair = pairOf(email, key)
      if (typeof pair === 'string') return pair
      if (holds(pair.account, key)) return 'already-assigned'
      give(pair.account, [...pair.account.roles, pair.role].sort(byKey))
      return 'assigned'
    },
    unassign(email, key) {
      const pair = pairOf(email, key)
      if (typeof pair === 'string') return pair
      if (!holds(pair.account, key)) return 'not-assigned'
      give(
        pair.account,
        pair.account.roles.filter((role) => role.key !== key),
      )
      return 'unassigned'
    },
  }
}

function holds(account: Account, key: RoleKey): boolean {
  return account.roles.some((role) => role.key === key)
}
