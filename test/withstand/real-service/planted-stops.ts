import { setTimeout as pause } from 'node:timers/promises'
import { endOfGrace } from '../../../src/domain/identity/rotation.js'
import type { PetId } from '../../../src/domain/catalogue/pet.js'
import type { ActiveSession } from '../../../src/domain/identity/session.js'
import type { Sessions } from '../../../src/ports/sessions.js'
import type { Store } from '../../../src/ports/store.js'

/** How long what should be one step takes, in milliseconds: it is stopped in the middle. */
const GAP = 30
const LATER = 500
const MADE_UP = 9_000_000

function withSessions(change: (sessions: Sessions) => Partial<Sessions>): (store: Store) => Store {
  return (store) => ({ ...store, sessions: { ...store.sessions, ...change(store.sessions) } })
}

/** Bugs that show when a process stands still. */
export const STOP_BUGS: Readonly<Record<string, (store: Store) => Store>> = {
  'late-rotation': withSessions((sound) => ({
    rotate: async (request) => {
      const found = await sound.findById(request.sessionId, request.at)
      if (found?.session.current.pairId !== request.from) return await sound.rotate(request)
      await pause(GAP)
      const { pairId, keyDigest } = found.session.current
      const previous = { pairId, keyDigest, until: endOfGrace(request.at, request.grace) }
      const session = { ...found.session, current: { ...request.next }, previous }
      await sound.end(session.id)
      await sound.open(session)
      return { kind: 'rotated', session }
    },
  })),
  'delayed-logout': withSessions((sound) => ({
    end: async (id) => {
      setTimeout(() => void sound.end(id), LATER)
      return 'ended'
    },
  })),
  'endless-grace': withSessions((sound) => ({
    rotate: async (request) => {
      const found = await sound.findById(request.sessionId, request.at)
      const isSpent = found !== undefined && found.session.current.pairId !== request.from
      return isSpent ? { kind: 'superseded', session: found.session } : await sound.rotate(request)
    },
  })),
  'stale-session': withSessions((sound) => {
    const known = new Map<string, ActiveSession>()
    return {
      find: async (digest, at) => {
        const found = known.get(digest) ?? (await sound.find(digest, at))
        if (found) known.set(digest, found)
        return found
      },
    }
  }),
  'written-behind': (store) => ({
    ...store,
    pets: {
      ...store.pets,
      insert: async (draft, idempotency) => {
        setTimeout(() => void store.pets.insert(draft, idempotency), LATER)
        return { kind: 'inserted', id: MADE_UP as PetId }
      },
    },
  }),
}
