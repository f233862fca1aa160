import type { Identity } from '../../domain/access/caller.js'
import type { Account } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'

/** Who the account of this login is to whatever asks for a caller. */
export function identityOf({ account, session }: { account: Account; session: Login }): Identity {
  const { id: accountId, email, roles, epoch } = account
  const { id: sessionId, endsAt, actor } = session
  return { kind: 'account', accountId, email, roles, sessionId, epoch, endsAt, ...(actor && { actor }) }
}

type Login = Pick<Session, 'id' | 'endsAt' | 'actor'>
