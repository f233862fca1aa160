import type { Identity } from '../../domain/access/caller.js'
import type { Role, RoleKey } from '../../domain/access/role.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { ActiveSession, Session } from '../../domain/identity/session.js'

/** The roles that count only in a login with a second factor, by their keys. */
export type FactorRoles = ReadonlySet<RoleKey>

/** The roles that count in a login. With a second factor all of them count. */
export function countedRoles(
  roles: readonly Role[],
  factor: true | undefined,
  factorRoles: FactorRoles | undefined,
): readonly Role[] {
  if (factor || !factorRoles) return roles
  return roles.filter(({ key }) => !factorRoles.has(key))
}

/** Whether the second factor of the login still counts: not after its removal; an actor's own factor always counts. */
export function validFactor(
  { factor, actor }: Pick<Session, 'factor' | 'actor'>,
  { secondFactor }: Pick<Account, 'secondFactor'>,
): true | undefined {
  return factor && (actor || secondFactor) ? true : undefined
}

/** The identity of a login, with the roles that count in it. */
export function identityOf(
  { account, session }: { account: Account; session: Login },
  factorRoles?: FactorRoles,
): Identity {
  const { id: accountId, epoch } = account
  const email = shownEmail(account)
  const { id: sessionId, endsAt, actor } = session
  const factor = validFactor(session, account)
  const roles = countedRoles(account.roles, factor, factorRoles)
  const optional = { ...(factor && { factor }), ...(actor && { actor }) }
  return { kind: 'account', accountId, email, roles, sessionId, epoch, endsAt, ...optional }
}

type Login = Pick<Session, 'id' | 'endsAt' | 'actor' | 'factor'>

/**
 * The identity of a session that a store has found. A frozen session, which a store may return many times, gets one
 * frozen identity.
 */
export function createIdentityOfFound(
  factorRoles: FactorRoles | undefined,
): (found: ActiveSession) => Identity {
  const identities = new WeakMap<ActiveSession, Identity>()
  return (found) => {
    if (!Object.isFrozen(found)) return identityOf(found, factorRoles)
    const known = identities.get(found)
    if (known) return known
    const identity = Object.freeze(identityOf(found, factorRoles))
    identities.set(found, identity)
    return identity
  }
}
