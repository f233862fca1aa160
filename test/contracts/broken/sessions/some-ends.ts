import { setImmediate } from 'node:timers/promises'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { Sessions } from '../../../../src/ports/sessions.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('sessions')
const ONE = 'endOne ends this session of the account and no other'
const FOREIGN = 'endOne of a session of another account is unknown, as of none, and ends nothing'
const ACTED = 'endOne takes a session with an actor for one of the account, and not of the actor'
const ONE_RACE = 'of 16 endOne at once exactly one ends the session'
const ONE_REFRESHED = 'refreshes that race endOne leave nothing active'
const OTHERS = 'endOthers ends all sessions of the account but one, and none of another'
const ACTING = 'endOthers ends the sessions in which the account acts, and those of its own with an actor'
const COUNTS = 'endOthers counts the sessions that are active at its time, and ends the others too'
const RACE = 'of 16 endOthers at once each session is counted by one'
const REFRESHED = 'refreshes that race endOthers leave nothing active'
const POINT = 'no login dies that began after an effect of endOthers was seen'

/** What is wrong about how an account ends one of its sessions, or all but one. */
export const brokenSomeEnds: readonly Breakage[] = [
  broken('endOne only says so', [ONE, ACTED, ONE_REFRESHED], (inner) => ({
    async endOne(accountId, id) {
      return (await inner.findById(id, 0))?.account.id === accountId ? 'ended' : 'unknown'
    },
  })),
  broken('endOne does not ask whose the session is', [FOREIGN, ACTED], (inner) => ({
    endOne: (_, id) => inner.end(id),
  })),
  broken('endOne tells a session of another account from none', [FOREIGN], (inner) => ({
    async endOne(accountId, id) {
      const answer = await inner.endOne(accountId, id)
      return answer === 'unknown' && (await inner.findById(id, 0)) ? ('ended' as const) : answer
    },
  })),
  broken('endOne ends all of the account', [ONE], (inner) => ({
    async endOne(accountId, id) {
      const answer = await inner.endOne(accountId, id)
      if (answer === 'ended') await inner.endAllOf(accountId)
      return answer
    },
  })),
  broken('endOne leaves those with an actor', [ACTED], (inner) => ({
    async endOne(accountId, id) {
      return (await inner.findById(id, 0))?.session.actor ? 'unknown' : await inner.endOne(accountId, id)
    },
  })),
  broken('endOne looks, then ends', [ONE_RACE], (inner) => ({
    async endOne(accountId, id) {
      const found = await inner.findById(id, 0)
      await everybodyElse()
      if (found?.account.id !== accountId) return 'unknown'
      await inner.end(id)
      return 'ended'
    },
  })),
  broken('endOthers only counts', [OTHERS, ACTING, RACE, REFRESHED], (inner) => ({
    endOthers: async (accountId, keep, at) =>
      (await idsOf(inner, accountId, at)).filter((id) => id !== keep).length,
  })),
  broken('endOthers ends this one too', [OTHERS, ACTING], (inner) => ({
    async endOthers(accountId, keep, at) {
      const count = await inner.endOthers(accountId, keep, at)
      await inner.end(keep)
      return count
    },
  })),
  broken('endOthers bumps the epoch', [OTHERS, RACE], (inner) => ({
    endOthers: async (accountId) => (await inner.endAllOf(accountId)) ?? 0,
  })),
  broken('endOthers leaves those in which the account acts', [ACTING], (inner) => ({
    async endOthers(accountId, keep, at) {
      const others = (await idsOf(inner, accountId, at)).filter((id) => id !== keep)
      for (const id of others) await inner.end(id)
      return others.length
    },
  })),
  broken('endOthers counts what has ended, too', [COUNTS], (inner) => ({
    endOthers: (accountId, keep) => inner.endOthers(accountId, keep, 0),
  })),
  broken('endOthers leaves what a clock that is behind may take for active', [COUNTS], (inner) => ({
    async endOthers(accountId, keep, at) {
      const others = (await idsOf(inner, accountId, at)).filter((id) => id !== keep)
      for (const id of others) await inner.end(id)
      return others.length
    },
  })),
  broken('endOthers looks, then ends, and counts what it has seen', [RACE], (inner) => ({
    async endOthers(accountId, keep, at) {
      const others = (await idsOf(inner, accountId, at)).filter((id) => id !== keep)
      await everybodyElse()
      await inner.endOthers(accountId, keep, at)
      return others.length
    },
  })),
  broken('endOthers ends once more what is there later', [POINT], (inner) => ({
    async endOthers(accountId, keep, at) {
      const count = await inner.endOthers(accountId, keep, at)
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      return count + (await inner.endOthers(accountId, keep, at))
    },
  })),
]

async function idsOf(sessions: Sessions, accountId: AccountId, at: number) {
  return (await sessions.pageOf({ accountId, limit: 100, at })).map(({ id }) => id)
}
