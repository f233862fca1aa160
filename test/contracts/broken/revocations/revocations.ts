import type { Epoch } from '../../../../src/domain/identity/account.js'
import type { SessionId } from '../../../../src/domain/identity/session.js'
import type { Instant } from '../../../../src/domain/instant.js'
import type { Revocations } from '../../../../src/ports/revocations.js'
import { breakageOf, everybodyElse, type Breakage, StoreError } from '../breakage.js'
import { OUTCOME, OUTCOME_RACE } from './outcomes.js'

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

export const brokenRevocations: readonly Breakage[] = [
  broken('every login is revoked', [ACTIVE, UNTIL, NO_OTHER, NO_EPOCH], () => ({
    isRevoked: async () => true,
  })),
  broken('a login needs a stored session', [ACTIVE, UNTIL, NO_EPOCH], (inner, { sessions }) => ({
    isRevoked: async (login, at) =>
      !(await sessions.findById(login.sessionId, at)) || (await inner.isRevoked(login, at)),
  })),
  broken('another role revokes', [NO_EPOCH], (inner, { accounts }) => ({
    isRevoked: async (login, at) =>
      (await accounts.find(login.accountId))?.roles.length !== 0 || (await inner.isRevoked(login, at)),
  })),
  broken('revoke only says so', [UNTIL, NO_OTHER, TWICE, ALIKE, REVOKES_RACE, OUTCOME, OUTCOME_RACE], () => ({
    revoke: async () => 'revoked',
  })),
  broken('the end is counted in', [UNTIL, TWICE, REVOKES_RACE], (inner) => ({
    revoke: (id, until) => inner.revoke(id, until + 1),
  })),
  broken('the last moment before the end is left out', [UNTIL, TWICE, REVOKES_RACE], (inner) => ({
    revoke: (id, until) => inner.revoke(id, until - 1),
  })),
  broken('a revocation holds for ever', [UNTIL], (inner) => ({
    isRevoked: (login) => inner.isRevoked(login, 0),
  })),
  broken("a revocation is everybody's", [NO_OTHER, ALIKE], (inner) => {
    const revoked: SessionId[] = []
    return {
      async revoke(id, until) {
        revoked.push(id)
        return await inner.revoke(id, until)
      },
      async isRevoked(login, at) {
        const ids = [login.sessionId, ...revoked]
        const answers = await Promise.all(
          ids.map((sessionId) => inner.isRevoked({ ...login, sessionId }, at)),
        )
        return answers.includes(true)
      },
    }
  }),
  broken('revoking twice is an error', [TWICE, REVOKES_RACE, OUTCOME, OUTCOME_RACE], (inner) => {
    const known = new Set<SessionId>()
    return {
      async revoke(id, until) {
        if (known.has(id)) throw new StoreError('unique')
        known.add(id)
        return await inner.revoke(id, until)
      },
    }
  }),
  broken('the first word counts', [TWICE, REVOKES_RACE, OUTCOME], (inner) => {
    const known = new Set<SessionId>()
    return {
      async revoke(id, until) {
        if (known.has(id)) return 'unchanged'
        known.add(id)
        return await inner.revoke(id, until)
      },
    }
  }),
  broken('the last word counts', [TWICE, REVOKES_RACE, OUTCOME], (inner) => {
    const ends = new Map<SessionId, Instant>()
    return {
      async revoke(id, until) {
        const changed = ends.get(id) !== until
        ends.set(id, until)
        return changed ? 'revoked' : 'unchanged'
      },
      isRevoked: async (login, at) =>
        at < (ends.get(login.sessionId) ?? at) || (await inner.isRevoked(login, at)),
    }
  }),
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
  broken('ids are compared without regard to case', [ALIKE], (inner) =>
    underOtherIds(inner, (id) => id.toLowerCase()),
  ),
  broken('ids are trimmed', [ALIKE], (inner) => underOtherIds(inner, (id) => id.trim())),
  broken('ids are cut', [ALIKE], (inner) => underOtherIds(inner, (id) => id.slice(0, 36))),
  broken('ids are told apart by their beginning', [ALIKE], (inner) =>
    underOtherIds(inner, (id) => id.slice(0, 8)),
  ),
  broken('ids are read as hexadecimal numbers', [ALIKE], (inner) =>
    underOtherIds(inner, (id) => id.replaceAll('-', '')),
  ),
  broken(
    'the account is not looked at',
    [UNKNOWN, EPOCH, PASSWORD, END_ALL, DISABLING, ENABLING, REMOVING, ENDS_RACE],
    (inner) => {
      const ends = new Map<SessionId, Instant>()
      return {
        async revoke(id, until) {
          ends.set(id, until)
          return await inner.revoke(id, until)
        },
        isRevoked: async ({ sessionId }, at) => at < (ends.get(sessionId) ?? at),
      }
    },
  ),
  broken('an unknown account lets its logins live', [UNKNOWN, REMOVING], (inner, { accounts }) => ({
    isRevoked: async (login, at) =>
      (await accounts.find(login.accountId)) !== undefined && (await inner.isRevoked(login, at)),
  })),
  broken('a higher epoch is good', [EPOCH], (inner, { accounts }) => ({
    async isRevoked(login, at) {
      const account = await accounts.find(login.accountId)
      const epoch = Math.min(login.epoch, account?.epoch ?? 0) as Epoch
      return await inner.isRevoked({ ...login, epoch }, at)
    },
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
]

/** The port with every id of a login in other clothes. */
function underOtherIds(inner: Revocations, dress: (id: SessionId) => string): Partial<Revocations> {
  return {
    revoke: (id, until) => inner.revoke(dress(id) as SessionId, until),
    isRevoked: (login, at) =>
      inner.isRevoked({ ...login, sessionId: dress(login.sessionId) as SessionId }, at),
  }
}
