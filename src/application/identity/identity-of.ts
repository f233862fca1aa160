import type { Identity } from '../../domain/access/caller.js'
import type { Account } from '../../domain/identity/account.js'
import type { ActiveSession, Session } from '../../domain/identity/session.js'

/** Who the account of this login is to whatever asks for a caller. */
export function identityOf({ account, session }: { account: Account; session: Login }): Identity {
  const { id: accountId, email, roles, epoch } = account
  const { id: sessionId, endsAt, actor } = session
  return { kind: 'account', accountId, email, roles, sessionId, epoch, endsAt, ...(actor && { actor }) }
}

type Login = Pick<Session, 'id' | 'endsAt' | 'actor'>

const identities = new WeakMap<ActiveSession, Identity>()

/** The same of what a store has found: where that is frozen, it may be found many times, and is one frozen identity. */
export function identityOfFound(found: ActiveSession): Identity {
  if (!Object.isFrozen(found)) return identityOf(found)
  const known = identities.get(found)
  if (known) return known
  const identity = Object.freeze(identityOf(found))
  identities.set(found, identity)
  return identity
}
