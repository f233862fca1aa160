import { judgeRotation, openPrevious, rotated } from '../../domain/identity/rotation.js'
import type { ActiveSession, Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Rotation, RotationRequest, SessionPageRequest, Sessions } from '../../ports/sessions.js'
import { copyOfActive, copyOfSession } from './copies.js'
import { bumpEpoch, ownerOf, type State } from './state.js'
import type { SyncPort } from './sync-port.js'

export function memorySessions(state: State): SyncPort<Sessions> {
  const { accounts, sessions } = state

  function activeWith(session: Session): ActiveSession | undefined {
    const account = ownerOf(state, session)
    return account && copyOfActive(session, account, session.actor && accounts.get(session.actor.accountId))
  }

  function rotate(request: RotationRequest): Rotation {
    const session = sessions.get(request.sessionId)
    if (!session || isOver(session, request.at) || !ownerOf(state, session)) return { kind: 'unknown' }
    const kind = judgeRotation(session, request)
    if (kind === 'replayed') sessions.remove(session)
    if (kind === 'superseded') return { kind, session: copyOfSession(session) }
    if (kind !== 'rotated') return { kind }
    const moved = rotated(session, request)
    sessions.put(moved)
    return { kind, session: copyOfSession(moved) }
  }

  function pageOf({ accountId, after, limit, at }: SessionPageRequest): Session[] {
    const page: Session[] = []
    for (const session of sessions.following(accountId, after)) {
      if (page.length >= limit) break
      if (!isOver(session, at) && ownerOf(state, session)) page.push(copyOfSession(session))
    }
    return page
  }

  return {
    open: (session) => sessions.put(copyOfSession(session)),
    find(keyDigest, at) {
      const session = sessions.withKey(keyDigest)
      if (!session || isOver(session, at)) return undefined
      const good =
        session.current.keyDigest === keyDigest || openPrevious(session, at)?.keyDigest === keyDigest
      return good ? activeWith(session) : undefined
    },
    findById(id, at) {
      const session = sessions.get(id)
      return session && !isOver(session, at) ? activeWith(session) : undefined
    },
    pageOf,
    rotate,
    end(id) {
      const session = sessions.get(id)
      if (session) sessions.remove(session)
      return session && ownerOf(state, session) ? 'ended' : 'unknown'
    },
    endAllOf(accountId) {
      const account = accounts.get(accountId)
      return account && bumpEpoch(state, account)
    },
    purge(at, limit) {
      const over = sessions.over(at, limit)
      for (const session of over) sessions.remove(session)
      return over.length
    },
  }
}

function isOver(session: Session, at: Instant): boolean {
  return at >= session.endsAt || at >= session.current.idleEndsAt
}
