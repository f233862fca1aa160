import type { AccountId } from '../../domain/identity/account.js'
import { isPastEnd, type Session, type SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Sessions } from '../../ports/sessions.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { copyOfSession } from './copies.js'
import { bumpEpoch, ownerOf, type State } from './state.js'

/** The calls that end sessions, one or several. */
export function memorySessionEnds(
  state: State,
): Pick<SyncPort<Sessions>, 'openWithLimit' | 'end' | 'endOne' | 'endOthers' | 'endAllOf'> {
  const { accounts, sessions } = state

  function end(session: Session | undefined): 'ended' | 'unknown' {
    if (session) sessions.remove(session)
    return session && ownerOf(state, session) ? 'ended' : 'unknown'
  }

  function openWithLimit(session: Session, most: number): number {
    if (!ownerOf(state, session)) return 0
    sessions.put(copyOfSession(session))
    const { accountId, id, createdAt: at } = session
    const others = sessions
      .ofAccount(accountId)
      .filter((one) => one.id !== id && !one.actor && !isPastEnd(one, at) && ownerOf(state, one))
    const tooMany = others.slice(0, Math.max(0, others.length + 1 - most))
    for (const one of tooMany) sessions.remove(one)
    return tooMany.length
  }

  function endOthers(accountId: AccountId, keep: SessionId, at: Instant): number {
    const all = [...sessions.ofAccount(accountId), ...sessions.ofActor(accountId)]
    const others = all.filter(({ id }) => id !== keep)
    const active = others.filter((session) => !isPastEnd(session, at) && ownerOf(state, session)).length
    for (const session of others) sessions.remove(session)
    return active
  }

  return {
    openWithLimit,
    end: (id) => end(sessions.get(id)),
    endOne(accountId, id) {
      const session = sessions.get(id)
      return end(session?.accountId === accountId ? session : undefined)
    },
    endOthers,
    endAllOf(accountId) {
      const account = accounts.get(accountId)
      return account && bumpEpoch(state, account)
    },
  }
}
