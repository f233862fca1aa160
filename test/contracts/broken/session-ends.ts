import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Session, SessionId } from '../../../src/domain/identity/session.js'
import { breakageOf, everybodyElse, type Breakage, breakageOfStore } from './breakage.js'
import { setImmediate } from 'node:timers/promises'
import type { Sessions } from '../../../src/ports/sessions.js'

const broken = breakageOf('sessions')
const SEVERAL = 'sessions of one account and of several are told apart'
const END = 'end ends this session and no other'
const NOT_THERE = 'ending a session that is not there is harmless'
const ROTATE_ENDED = 'rotate of what is not there or has ended is unknown'
const LOGOUT = 'a refresh that races a logout leaves nothing active'
const PURGE = 'purge removes what is past one of its ends, for good'
const LIMIT = 'purge stops at its limit'
const BEHIND = 'purge finds what has ended behind what was refreshed'
const ONE = 'endAllOf bumps the epoch by one and changes nothing else'
const ENDS = 'endAllOf ends all sessions of the account and of no other'
const AGAIN = 'endAllOf lets the account log in again'
const RACE = 'of 16 endAllOf at once each bumps the epoch'
const REFRESHES = 'refreshes that race endAllOf leave nothing active'
const REVOKES = 'revocations: endAllOf revokes every earlier login'
const COUNTS =
  'endAllOf counts the sessions of the account, with or without an actor, and not those in which it acts'
const DEAD = 'endAllOf counts no session that was dead before, by its epoch or by that of its actor'
const POINT = 'no login dies that began after an effect of endAllOf was seen'
const POINT_OF_PASSWORD = 'sessions: no login dies that began after an effect of setPassword was seen'
const POINT_OF_RESET = 'sessions: no login dies that began after an effect of a reset was seen'
const POINT_OF_LOCK = 'sessions: no login dies that began after a lock was lifted'
const ONE_SOME = 'endOne ends this session of the account and no other'
const FOREIGN = 'endOne of a session of another account is unknown, as of none, and ends nothing'
const ACTED = 'endOne takes a session with an actor for one of the account, and not of the actor'
const ONE_RACE = 'of 16 endOne at once exactly one ends the session'
const ONE_REFRESHED = 'refreshes that race endOne leave nothing active'
const OTHERS = 'endOthers ends all sessions of the account but one, and none of another'
const ACTING = 'endOthers ends the sessions in which the account acts, and those of its own with an actor'
const COUNTS_SOME = 'endOthers counts the sessions that are active at its time, and ends the others too'
const RACE_SOME = 'of 16 endOthers at once each session is counted by one'
const REFRESHED = 'refreshes that race endOthers leave nothing active'
const POINT_SOME = 'no login dies that began after an effect of endOthers was seen'

export const brokenSessionEnds: readonly Breakage[] = [
  broken('an account has one session: opening ends the others', [SEVERAL, END], (inner) => ({
    async open(session) {
      await inner.endAllOf(session.accountId)
      await inner.open(session)
    },
  })),
  broken('end only says so', [END, NOT_THERE, ROTATE_ENDED, LOGOUT], () => ({ end: async () => 'ended' })),
  broken('purge removes nothing', [PURGE, LIMIT], () => ({
    purge: async () => 0,
  })),
  broken('purge goes by the ends at login', ['purge goes by the ends of the active generation'], (inner) => {
    const ends = new Map<SessionId, number>()
    return {
      async open(session) {
        ends.set(session.id, session.current.idleEndsAt)
        await inner.open(session)
      },
      async purge(at, limit) {
        let count = await inner.purge(at, limit)
        for (const [id, end] of ends) if (end <= at && (await inner.end(id)) === 'ended') count += 1
        return count
      },
    }
  }),
  broken('purge looks at no more than it may remove', [BEHIND], (inner) => {
    const ends = new Map<SessionId, number>()
    return {
      async open(session) {
        ends.set(session.id, session.current.idleEndsAt)
        await inner.open(session)
      },
      async purge(at, limit) {
        const first = [...ends].filter(([, end]) => end <= at).slice(0, limit)
        const over = await Promise.all(first.map(async ([id]) => (await inner.findById(id, at)) ?? id))
        const ended = over.filter((one) => typeof one === 'string')
        return (await Promise.all(ended.map((id) => inner.end(id)))).filter((one) => one === 'ended').length
      },
    }
  }),
  broken('endAllOf only says so', [ONE, ENDS, RACE, REFRESHES, REVOKES], (_, { accounts }) => ({
    endAllOf: async (id) => ((await accounts.find(id)) ? 0 : undefined),
  })),
  broken('endAllOf locks the account', [ONE, AGAIN, REVOKES], (_, { accounts }) => ({
    endAllOf: async (id) => ((await accounts.setDisabled(id, 1)) === 'set' ? 0 : undefined),
  })),
  broken('endAllOf counts those in which the account acts too', [COUNTS], (inner) => {
    const opened: Session[] = []
    return {
      async open(session) {
        opened.push(session)
        await inner.open(session)
      },
      async endAllOf(id) {
        const acting = opened.filter(({ actor }) => actor?.accountId === id).length
        const count = await inner.endAllOf(id)
        return count === undefined ? undefined : count + acting
      },
    }
  }),
  broken('endAllOf counts every row of the account', [DEAD], (inner) => {
    const rows = new Map<Session['id'], AccountId>()
    return {
      async open(session) {
        rows.set(session.id, session.accountId)
        await inner.open(session)
      },
      async endAllOf(id) {
        const own = [...rows].filter(([, accountId]) => accountId === id)
        for (const [session] of own) rows.delete(session)
        return (await inner.endAllOf(id)) === undefined ? undefined : own.length
      },
    }
  }),
  broken('endAllOf drops a second call at once', [RACE], (inner) => {
    let busy = false
    return {
      async endAllOf(id) {
        if (busy) return 0
        busy = true
        await everybodyElse()
        busy = false
        return await inner.endAllOf(id)
      },
    }
  }),
  broken('endAllOf ends what is stored, and bumps the epoch later', [POINT], (inner) => ({
    async endAllOf(id) {
      await endStored(inner, id)
      for (let turn = 0; turn < 5; turn += 1) await setImmediate()
      return await inner.endAllOf(id)
    },
  })),
  breakageOfStore('setPassword ends what is stored later', [POINT_OF_PASSWORD], ({ accounts, sessions }) => ({
    accounts: {
      ...accounts,
      setPassword: (id, hash) => thenEnd(sessions, id, () => accounts.setPassword(id, hash)),
    },
  })),
  breakageOfStore('a reset ends what is stored later', [POINT_OF_RESET], ({ accounts, sessions }) => ({
    accounts: {
      ...accounts,
      async consumeResetToken(input) {
        const id = await accounts.consumeResetToken(input)
        return id === undefined ? undefined : await thenEnd(sessions, id, async () => id)
      },
    },
  })),
  breakageOfStore('a lock ends what is stored later', [POINT_OF_LOCK], ({ accounts, sessions }) => ({
    accounts: {
      ...accounts,
      setDisabled: (id, at) => thenEnd(sessions, id, () => accounts.setDisabled(id, at)),
    },
  })),
  broken('endOne only says so', [ONE_SOME, ACTED, ONE_REFRESHED], (inner) => ({
    async endOne(accountId, id) {
      return (await inner.findById(id, 0))?.account.id === accountId ? 'ended' : 'unknown'
    },
  })),
  broken('endOne does not ask whose the session is', [FOREIGN, ACTED], (inner) => ({
    endOne: (_, id) => inner.end(id),
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
  broken('endOthers only counts', [OTHERS, ACTING, RACE_SOME, REFRESHED], (inner) => ({
    endOthers: async (accountId, keep, at) =>
      (await idsOf(inner, accountId, at)).filter((id) => id !== keep).length,
  })),
  broken('endOthers counts what has ended, too', [COUNTS_SOME], (inner) => ({
    endOthers: (accountId, keep) => inner.endOthers(accountId, keep, 0),
  })),
  broken('endOthers looks, then ends, and counts what it has seen', [RACE_SOME], (inner) => ({
    async endOthers(accountId, keep, at) {
      const others = (await idsOf(inner, accountId, at)).filter((id) => id !== keep)
      await everybodyElse()
      await inner.endOthers(accountId, keep, at)
      return others.length
    },
  })),
  broken('endOthers ends once more what is there later', [POINT_SOME], (inner) => ({
    async endOthers(accountId, keep, at) {
      const count = await inner.endOthers(accountId, keep, at)
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      return count + (await inner.endOthers(accountId, keep, at))
    },
  })),
]

/** Ends every session of the account that is stored, whatever its epoch, and leaves the account alone. */
async function endStored(sessions: Sessions, accountId: AccountId): Promise<void> {
  for (const { id } of await sessions.pageOf({ accountId, limit: 100, at: 0 })) await sessions.end(id)
}

async function thenEnd<Answer>(
  sessions: Sessions,
  accountId: AccountId,
  first: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await first()
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  await endStored(sessions, accountId)
  return answer
}

async function idsOf(sessions: Sessions, accountId: AccountId, at: number) {
  return (await sessions.pageOf({ accountId, limit: 100, at })).map(({ id }) => id)
}
