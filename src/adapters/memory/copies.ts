import type { Role } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
import type { ActiveSession, Session } from '../../domain/identity/session.js'

// Written out by shape and not left to structuredClone, which costs twenty times as much and
// sits on the way of every request.

export function copyOfRoles(roles: readonly Role[]): Role[] {
  return roles.map((role) => ({ ...role }))
}

export function copyOfAccount(account: Account): Account {
  return { ...account, roles: copyOfRoles(account.roles) }
}

export function copyOfSession(session: Session): Session {
  const copy: { -readonly [Member in keyof Session]: Session[Member] } = {
    ...session,
    current: { ...session.current },
  }
  if (session.previous !== undefined) copy.previous = { ...session.previous }
  if (session.openedBy !== undefined) copy.openedBy = { ...session.openedBy }
  if (session.actor !== undefined) copy.actor = { ...session.actor }
  return copy
}

/** `actor` is the account of the session's actor, where it has one. */
export function copyOfActive(session: Session, account: Account, actor?: Account): ActiveSession {
  const active = { session: copyOfSession(session), account: copyOfAccount(account) }
  return actor ? { ...active, actorRoles: copyOfRoles(actor.roles) } : active
}

/** In the order of their keys, by code unit, as every store sorts text without a collation. */
export function byKey(left: Role, right: Role): number {
  if (left.key === right.key) return 0
  return left.key < right.key ? -1 : 1
}
