import { setTimeout as pause } from 'node:timers/promises'
import type { ActiveSession, KeyDigest, SessionId } from '../../../../src/domain/identity/session.js'
import type { Store } from '../../../../src/ports/store.js'
import { gap } from './gap.js'

/** In milliseconds: longer than a request takes. */
const LATE = 100

/** A logout is answered before it is done. */
export function lateEnd(store: Store): Store {
  const end = async (id: SessionId) => {
    // The store may be closed by then.
    void pause(LATE)
      .then(() => store.sessions.end(id))
      .catch(() => undefined)
    return 'ended' as const
  }
  return { ...store, sessions: { ...store.sessions, end } }
}

/** A refresh looks which pair is the current one, and writes later: who has lost meanwhile is told it has won. */
export function twoSuccessors(store: Store): Store {
  return {
    ...store,
    sessions: {
      ...store.sessions,
      rotate: async (request) => {
        const found = await store.sessions.findById(request.sessionId, request.at)
        await gap()
        const answer = await store.sessions.rotate(request)
        if (!found || found.session.current.pairId !== request.from || answer.kind !== 'superseded')
          return answer
        return { kind: 'rotated', session: { ...answer.session, current: { ...request.next } } }
      },
    },
  }
}

/** Sessions are kept where they were read; only an end or a refresh in the same place removes them. */
export function staleRead(store: Store): Store {
  const read = new Map<KeyDigest, ActiveSession>()
  const forget = (id: SessionId) => {
    for (const [key, { session }] of read) if (session.id === id) read.delete(key)
  }
  return {
    ...store,
    sessions: {
      ...store.sessions,
      find: async (key, at) => {
        const found = read.get(key) ?? (await store.sessions.find(key, at))
        if (found) read.set(key, found)
        return found
      },
      end: async (id) => {
        forget(id)
        return await store.sessions.end(id)
      },
      rotate: async (request) => {
        const answer = await store.sessions.rotate(request)
        forget(request.sessionId)
        return answer
      },
    },
  }
}
