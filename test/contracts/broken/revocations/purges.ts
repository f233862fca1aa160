import type { SessionId } from '../../../../src/domain/identity/session.js'
import type { Instant } from '../../../../src/domain/instant.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('revocations')
const PURGE = 'purge removes what is over, and nothing that is in force'
const LIMIT = 'purge of revocations stops at its limit'
const ANSWERS = 'purge changes no answer from its moment on'
const RACE = 'of 16 purges at once each revocation is counted once'
const PROLONGED = 'a revocation that is prolonged while it is purged is not lost'

export const brokenRevocationPurges: readonly Breakage[] = [
  broken('purge counts and removes nothing', [PURGE, LIMIT, ANSWERS], () => ({ purge: async () => 1 })),
  broken('purge removes nothing', [PURGE, LIMIT, ANSWERS, RACE, PROLONGED], () => ({
    purge: async () => 0,
  })),
  broken('purge removes a moment early', [PURGE, ANSWERS], (inner) => ({
    purge: (at, limit) => inner.purge(at + 1, limit),
  })),
  broken('purge leaves what is over in that moment', [PURGE, ANSWERS], (inner) => ({
    purge: (at, limit) => inner.purge(at - 1, limit),
  })),
  broken('purge removes whatever there is', [PURGE, ANSWERS, RACE], (inner) => ({
    purge: (_, limit) => inner.purge(Infinity, limit),
  })),
  broken('purge knows no limit', [LIMIT, RACE], (inner) => ({
    purge: (at) => inner.purge(at, Infinity),
  })),
  broken('purge tells its limit', [PURGE, LIMIT, RACE], (inner) => ({
    async purge(at, limit) {
      await inner.purge(at, limit)
      return limit
    },
  })),
  broken('purge takes the accounts along', [ANSWERS], (inner, { accounts }) => ({
    async purge(at, limit) {
      for (const { id, disabledAt } of await accounts.page(undefined, 100)) {
        if (disabledAt !== undefined) await accounts.setDisabled(id, undefined)
        else await accounts.remove(id)
      }
      return await inner.purge(at, limit)
    },
  })),
  broken('purge looks, then removes', [RACE, PROLONGED], (inner) => {
    const ends = new Map<SessionId, Instant>()
    return {
      async revoke(id, until) {
        const before = ends.get(id) ?? -1
        ends.set(id, Math.max(until, before))
        return before < until ? 'revoked' : 'unchanged'
      },
      isRevoked: async (login, at) =>
        at < (ends.get(login.sessionId) ?? at) || (await inner.isRevoked(login, at)),
      async purge(at, limit) {
        const over = [...ends].filter(([, until]) => until <= at).slice(0, limit)
        await everybodyElse()
        for (const [id] of over) ends.delete(id)
        return over.length
      },
    }
  }),
]
