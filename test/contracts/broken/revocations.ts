import type { Epoch } from '../../../src/domain/identity/account.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { Instant } from '../../../src/domain/instant.js'
import type { Revocations } from '../../../src/ports/revocations.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('revocations')
const ACTIVE = 'a login of an active account in its epoch is not revoked'
const UNTIL = 'a revocation holds strictly before its end'
const NO_OTHER = 'revoke ends this login and no other'
const TWICE = 'revoking twice is harmless and the later end counts'
const ALIKE = 'ids that look alike are ids of different logins'
const UNKNOWN = 'a login of an unknown account is revoked'
const EPOCH = 'a login of another epoch than its account has is revoked, a lower or a higher one'
const PASSWORD = 'a password change revokes every earlier login'
const END_ALL = 'endAllOf revokes every earlier login'
const DISABLING = 'disabling revokes every login of the account'
const ENABLING = 'enabling again brings back no earlier login, nor one of meanwhile'
const REMOVING = 'removing revokes every login of the account, also where its email is taken again'
const NO_EPOCH = 'what moves no epoch revokes nothing'
const REVOKES_RACE = 'of 16 revokes of one login at once none is lost, and the latest end counts'
const ENDS_RACE = 'a login that races 16 ends of its account is revoked as soon as one of them is done'
const OUTCOME = 'revoke says whether it changed anything'
const OUTCOME_RACE = 'of 16 revokes of one login with one end at once exactly one changes something'
const PURGE = 'purge removes what is over, and nothing that is in force'
const LIMIT = 'purge of revocations stops at its limit'
const ANSWERS = 'purge changes no answer from its moment on'
const RACE = 'of 16 purges at once each revocation is counted once'
const PROLONGED = 'a revocation that is prolonged while it is purged is not lost'

export const brokenRevocations: readonly Breakage[] = [
  broken('every login is revoked', [ACTIVE, UNTIL, NO_OTHER, NO_EPOCH], () => ({
    isRevoked: async () => true,
  })),
  broken('the end is counted in', [UNTIL, TWICE, REVOKES_RACE], (inner) => ({
    revoke: (id, until) => inner.revoke(id, until + 1),
  })),
  broken('the end is looked up, then written', [REVOKES_RACE, OUTCOME_RACE], (inner) => {
    const ends = new Map<SessionId, Instant>()
    return {
      async revoke(id, until) {
        const before = ends.get(id) ?? -1
        await everybodyElse()
        ends.set(id, Math.max(until, before))
        return before < until ? 'revoked' : 'unchanged'
      },
      isRevoked: async (login, at) =>
        at < (ends.get(login.sessionId) ?? at) || (await inner.isRevoked(login, at)),
    }
  }),
  broken('revoke does not wait for its write', [REVOKES_RACE, OUTCOME, OUTCOME_RACE], (inner) => ({
    async revoke(id, until) {
      void everybodyElse().then(() => inner.revoke(id, until))
      return 'revoked'
    },
  })),
  broken('ids are trimmed', [ALIKE], (inner) => underOtherIds(inner, (id) => id.trim())),
  broken('an unknown account lets its logins live', [UNKNOWN, REMOVING], (inner, { accounts }) => ({
    isRevoked: async (login, at) =>
      (await accounts.find(login.accountId)) !== undefined && (await inner.isRevoked(login, at)),
  })),
  broken('a lower epoch is good', [EPOCH, PASSWORD, END_ALL, ENABLING, ENDS_RACE], (inner, store) => ({
    async isRevoked(login, at) {
      const account = await store.accounts.find(login.accountId)
      const epoch = Math.max(login.epoch, account?.epoch ?? 0) as Epoch
      return await inner.isRevoked({ ...login, epoch }, at)
    },
  })),
  broken('the lock is not looked at', [DISABLING], (_, { accounts }) => ({
    isRevoked: async ({ accountId, epoch }) => (await accounts.find(accountId))?.epoch !== epoch,
  })),
  broken('answers are kept', [UNTIL, PASSWORD, END_ALL, DISABLING, ENABLING, REMOVING], (inner) => {
    const answers = new Map<SessionId, Promise<boolean>>()
    return {
      isRevoked(login, at) {
        const answer = answers.get(login.sessionId) ?? inner.isRevoked(login, at)
        answers.set(login.sessionId, answer)
        return answer
      },
    }
  }),
  broken('the account is looked at a moment before', [ENDS_RACE], (inner, { accounts }) => {
    const epochs = new Map<number, Promise<Epoch | undefined>>()
    return {
      async isRevoked(login, at) {
        const seen = epochs.get(login.accountId)
        const current = accounts.find(login.accountId).then((account) => account?.epoch)
        epochs.set(login.accountId, current)
        const epoch = await (seen ?? login.epoch)
        return (
          epoch !== login.epoch || (await inner.isRevoked({ ...login, epoch: (await current) ?? epoch }, at))
        )
      },
    }
  }),
  broken('purge counts and removes nothing', [PURGE, LIMIT, ANSWERS], () => ({ purge: async () => 1 })),
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

/** The port with every id of a login in other clothes. */
function underOtherIds(inner: Revocations, dress: (id: SessionId) => string): Partial<Revocations> {
  return {
    revoke: (id, until) => inner.revoke(dress(id) as SessionId, until),
    isRevoked: (login, at) =>
      inner.isRevoked({ ...login, sessionId: dress(login.sessionId) as SessionId }, at),
  }
}
