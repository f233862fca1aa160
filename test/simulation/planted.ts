import type { Sessions } from '../../src/ports/sessions.js'
import type { Store } from '../../src/ports/store.js'
import { decideRotation } from '../../src/domain/identity/rotation.js'
import type { Parts } from './instance.js'
import type { Bug } from './play.js'

type Ports = Omit<Store, 'ready' | 'close'>
type Changes = { readonly [Port in keyof Ports]?: (port: NonNullable<Ports[Port]>) => Partial<Ports[Port]> }

/** A bug of the store: other calls of its ports, each still atomic. */
function inStore(changes: Changes): Bug {
  return { store: (store) => ({ ...store, ...(changed(store, changes) as Partial<Store>) }) }
}

/** A bug of the use cases: what one call of a port should do is done in several calls, or not at all. */
function inUseCases(changes: Changes): Bug {
  return { parts: (parts) => ({ ...parts, ...changed(parts, changes) }) }
}

function changed(ports: Store | Parts, changes: Changes): Parts {
  const entries = Object.entries(changes) as [keyof Ports, (port: object) => object][]
  return Object.fromEntries(
    entries.map(([name, change]) => {
      const port = (ports as Readonly<Record<string, object>>)[name] as object
      return [name, { ...port, ...change(port) }]
    }),
  )
}

/** Reads, decides, and writes then. */
const rotateInTwoCalls = (sessions: Sessions): Partial<Sessions> => ({
  async rotate(request) {
    const found = await sessions.findById(request.sessionId, request.at)
    const decided = decideRotation(found?.session, request)
    if (decided.kind === 'rotated') await sessions.open(decided.session)
    if (decided.kind === 'replayed') await sessions.end(request.sessionId)
    return decided
  },
})

/** The planted bugs, by what is wrong. */
export const PLANTED: Readonly<Record<string, Bug>> = {
  'a refresh finds the session and updates it then': inUseCases({ sessions: rotateInTwoCalls }),
  'a spent refresh token in the grace window needs no cookie': inStore({
    sessions: (sessions) => ({
      async rotate(request) {
        const found = await sessions.findById(request.sessionId, request.at)
        return await sessions.rotate({ ...request, keyDigest: found?.session.current.keyDigest })
      },
    }),
  }),
  'a spent token never ends the session': inStore({
    sessions: (sessions) => ({
      async rotate(request) {
        const found = await sessions.findById(request.sessionId, request.at)
        const decided = decideRotation(found?.session, request)
        return decided.kind === 'replayed' ? { kind: 'mismatched' } : await sessions.rotate(request)
      },
    }),
  }),
  'the end of all sessions forgets the epoch': inStore({
    sessions: (sessions) => ({
      async endAllOf(account) {
        const all = await sessions.pageOf({ accountId: account, limit: 100, at: 0 })
        for (const { id } of all) await sessions.end(id)
        return all.length
      },
    }),
  }),
}
