import { decideRotation, type Rotation, type RotationRequest } from '../../domain/identity/rotation.js'
import { isFoundBy, isPastEnd, type ActiveSession, type Session } from '../../domain/identity/session.js'
import type { SessionPageRequest, Sessions } from '../../ports/sessions.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { copyOfActive, copyOfSession } from './copies.js'
import { memorySessionEnds } from './session-ends.js'
import { ownerOf, type State } from './state.js'

export function memorySessions(state: State): SyncPort<Sessions> {
  const { accounts, sessions } = state

  function activeWith(session: Session): ActiveSession | undefined {
    const account = ownerOf(state, session)
    return account && copyOfActive(session, account, session.actor && accounts.get(session.actor.accountId))
  }

  function rotate(request: RotationRequest): Rotation {
    const session = sessions.get(request.sessionId)
    const rotation = decideRotation(session && ownerOf(state, session) ? session : undefined, request)
    if (rotation.kind === 'rotated') sessions.put(rotation.session)
    if (rotation.kind === 'replayed' && session) sessions.remove(session)
    return 'session' in rotation ? { ...rotation, session: copyOfSession(rotation.session) } : rotation
  }

  function pageOf({ accountId, after, limit, at }: SessionPageRequest): Session[] {
    const page: Session[] = []
    for (const session of sessions.following(accountId, after)) {
      if (page.length >= limit) break
      if (!isPastEnd(session, at) && ownerOf(state, session)) page.push(copyOfSession(session))
    }
    return page
  }

  return {
    open(session) {
      if (ownerOf(state, session)) sessions.put(copyOfSession(session))
    },
    find(keyDigest, at) {
      const session = sessions.withKey(keyDigest)
      const isFound = session && !isPastEnd(session, at) && isFoundBy(session, keyDigest, at)
      return isFound ? activeWith(session) : undefined
    },
    findById(id, at) {
      const session = sessions.get(id)
      return session && !isPastEnd(session, at) ? activeWith(session) : undefined
    },
    pageOf,
    rotate,
    ...memorySessionEnds(state),
    purge(at, limit) {
      const over = sessions.over(at, limit)
      for (const session of over) sessions.remove(session)
      return over.length
    },
  }
}
