import { decideRotation } from '../../domain/identity/rotation.js'
import { isFoundBy, isPastEnd, type ActiveSession, type Session } from '../../domain/identity/session.js'
import type { RequiredCalls } from '../../ports/calls/store.js'
import type { Sessions } from '../../ports/sessions.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { bumpEpoch, ownerOf, type State } from './state.js'

/** Sessions in memory. */
export function memorySessions(state: State): SyncPort<RequiredCalls<'sessions'>> {
  const { accounts, sessions } = state

  function activeWith(session: Session): ActiveSession | undefined {
    const account = ownerOf(state, session)
    if (!account) return undefined
    const actor = session.actor && accounts.get(session.actor.accountId)
    if (!actor) return { session, account }
    const { roles: actorRoles, secondFactor: actorFactor } = actor
    return { session, account, actorRoles, ...(actorFactor !== undefined && { actorFactor }) }
  }

  return {
    find(keyDigest, at) {
      const session = sessions.withKey(keyDigest)
      const isFound = session && !isPastEnd(session, at) && isFoundBy(session, keyDigest, at)
      return isFound ? activeWith(session) : undefined
    },
    findById(id, at) {
      const session = sessions.get(id)
      return session && !isPastEnd(session, at) ? activeWith(session) : undefined
    },
    pageOf({ accountId, after, limit, at }) {
      const page: Session[] = []
      for (const session of sessions.following(accountId, after)) {
        if (page.length >= limit) break
        if (!isPastEnd(session, at) && ownerOf(state, session)) page.push(session)
      }
      return page
    },
    rotate(request) {
      const session = sessions.get(request.sessionId)
      const rotation = decideRotation(session && ownerOf(state, session) ? session : undefined, request)
      if (rotation.kind === 'rotated') sessions.put(rotation.session)
      if (rotation.kind === 'replayed' && session) sessions.remove(session)
      return rotation
    },
    ...opensAndEnds(state),
    purge: (at, limit) => sessions.purge(at, limit),
  }
}

function opensAndEnds(
  state: State,
): Pick<SyncPort<Sessions>, 'open' | 'openWithLimit' | 'end' | 'endOne' | 'endOthers' | 'endAllOf'> {
  const { accounts, sessions } = state

  function end(session: Session | undefined): 'ended' | 'unknown' {
    if (session) sessions.remove(session)
    return session && ownerOf(state, session) ? 'ended' : 'unknown'
  }

  return {
    open(session) {
      if (ownerOf(state, session)) sessions.put(session)
    },
    openWithLimit(session, max) {
      if (!ownerOf(state, session)) return 0
      sessions.put(session)
      const { accountId, id, createdAt: at } = session
      const others = sessions
        .ofAccount(accountId)
        .filter((one) => one.id !== id && !one.actor && !isPastEnd(one, at) && ownerOf(state, one))
      const tooMany = others.slice(0, Math.max(0, others.length + 1 - max))
      for (const one of tooMany) sessions.remove(one)
      return tooMany.length
    },
    end: (id) => end(sessions.get(id)),
    endOne(accountId, id) {
      const session = sessions.get(id)
      return end(session?.accountId === accountId ? session : undefined)
    },
    endOthers(accountId, keep, at) {
      const all = [...sessions.ofAccount(accountId), ...sessions.ofActor(accountId)]
      const others = all.filter(({ id }) => id !== keep)
      const active = others.filter((session) => !isPastEnd(session, at) && ownerOf(state, session)).length
      for (const session of others) sessions.remove(session)
      return active
    },
    endAllOf(accountId) {
      const account = accounts.get(accountId)
      return account && bumpEpoch(state, account)
    },
  }
}
