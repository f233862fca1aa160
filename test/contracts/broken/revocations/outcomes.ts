import type { SessionId } from '../../../../src/domain/identity/session.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('revocations')
export const OUTCOME = 'revoke says whether it changed anything'
export const OUTCOME_RACE = 'of 16 revokes of one login with one end at once exactly one changes something'

export const brokenRevocationOutcomes: readonly Breakage[] = [
  broken('every revoke says that it revoked', [OUTCOME, OUTCOME_RACE], (inner) => ({
    async revoke(id, until) {
      await inner.revoke(id, until)
      return 'revoked'
    },
  })),
  broken('no revoke says that it revoked', [OUTCOME, OUTCOME_RACE], (inner) => ({
    async revoke(id, until) {
      await inner.revoke(id, until)
      return 'unchanged'
    },
  })),
  broken('the second revoke changes nothing, whatever its end', [OUTCOME], (inner) => {
    const known = new Set<SessionId>()
    return {
      async revoke(id, until) {
        const first = !known.has(id)
        known.add(id)
        await inner.revoke(id, until)
        return first ? 'revoked' : 'unchanged'
      },
    }
  }),
  broken('whether it is revoked is looked up before', [OUTCOME_RACE], (inner) => {
    const ends = new Map<SessionId, number>()
    return {
      async revoke(id, until) {
        const before = ends.get(id) ?? -1
        await everybodyElse()
        ends.set(id, Math.max(before, until))
        await inner.revoke(id, until)
        return before < until ? 'revoked' : 'unchanged'
      },
    }
  }),
]
