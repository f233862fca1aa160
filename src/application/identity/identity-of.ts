import type { Identity } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import type { ActiveSession, Session } from '../../domain/identity/session.js'
import { countedRoles, provenFactor, type FactorRoles } from './factor-roles.js'

/** Who the account of this login is to whatever asks for a caller, with the roles that count in it. */
export function identityOf(
  { account, session }: { account: Account; session: Login },
  factorRoles?: FactorRoles,
): Identity {
  const { id: accountId, epoch } = account
  const email = shownEmail(account)
  const { id: sessionId, endsAt, actor } = session
  const factor = provenFactor(session, account)
  const roles = countedRoles(account.roles, factor, factorRoles)
  const proven = { ...(factor && { factor }), ...(actor && { actor }) }
  return { kind: 'account', accountId, email, roles, sessionId, epoch, endsAt, ...proven }
}

type Login = Pick<Session, 'id' | 'endsAt' | 'actor' | 'factor'>

/** The same of what a store has found: where that is frozen, it may be found many times, and is one frozen identity. */
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
