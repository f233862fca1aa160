import type { SyncPort } from '../../application/wrap-port.js'
import { isInForce } from '../../domain/access/api-key.js'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { RequiredCalls } from '../../ports/calls/store.js'
import { byKey, type State } from './state.js'

/** Roles in memory; each account record contains its roles. */
export function memoryRoles({ accounts, roles, apiKeys }: State): SyncPort<RequiredCalls<'roles'>> {
  function change<T>(email: Email, key: RoleKey, work: (account: Account, role: Role) => T) {
    const account = accounts.withEmail(email)
    if (!account) return 'unknown-account' as const
    const role = roles.get(key)
    return role ? work(account, role) : ('unknown-role' as const)
  }

  return {
    insert(role) {
      if (roles.has(role.key)) return 'duplicate-key'
      roles.set(role.key, role)
      return 'inserted'
    },
    list: () => [...roles.values()].sort(byKey),
    remove(key, at) {
      if (!roles.has(key)) return 'unknown'
      const isHolder = ({ roles: held }: { readonly roles: readonly Role[] }) =>
        held.some((one) => one.key === key)
      const keys = [...apiKeys.all()].filter(isHolder)
      if ([...accounts.all()].some(isHolder) || keys.some((one) => isInForce(one, at))) return 'held'
      for (const one of keys)
        apiKeys.replace(one.id, { ...one, roles: one.roles.filter((role) => role.key !== key) })
      roles.delete(key)
      return 'removed'
    },
    assign: (email, key) =>
      change(email, key, (account, role) => {
        if (account.roles.some((one) => one.key === key)) return 'already-assigned'
        accounts.replace(account.id, { ...account, roles: [...account.roles, role].sort(byKey) })
        return 'assigned'
      }),
    unassign: (email, key) =>
      change(email, key, (account) => {
        const others = account.roles.filter((one) => one.key !== key)
        if (others.length === account.roles.length) return 'not-assigned'
        accounts.replace(account.id, { ...account, roles: others })
        return 'unassigned'
      }),
  }
}
