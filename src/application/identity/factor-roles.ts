import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'

/** The roles that count only in a login with a second factor, by their keys. */
export type FactorRoles = ReadonlySet<RoleKey>

/** Those of these roles that count in a login: all of them where it was begun with a second factor. */
export function countedRoles(
  roles: readonly Role[],
  factor: true | undefined,
  factorRoles: FactorRoles | undefined,
): readonly Role[] {
  if (factor || !factorRoles) return roles
  return roles.filter(({ key }) => !factorRoles.has(key))
}

/** Whether the login has a second factor still: one that was removed since counts no more, but for an actor's own. */
export function provenFactor(
  { factor, actor }: Pick<Session, 'factor' | 'actor'>,
  { secondFactor }: Pick<Account, 'secondFactor'>,
): true | undefined {
  return factor && (actor || secondFactor) ? true : undefined
}
