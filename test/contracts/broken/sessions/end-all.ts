import { setImmediate } from 'node:timers/promises'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { PasswordHash } from '../../../../src/domain/identity/password.js'
import type { Session } from '../../../../src/domain/identity/session.js'
import type { Sessions } from '../../../../src/ports/sessions.js'
import { breakageOf, breakageOfStore, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('sessions')
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

/** What is wrong about ending all sessions of an account. */
export const brokenEndAllOf: readonly Breakage[] = [
  broken('endAllOf only says so', [ONE, ENDS, RACE, REFRESHES, REVOKES], (_, { accounts }) => ({
    endAllOf: async (id) => ((await accounts.find(id)) ? 0 : undefined),
  })),
  broken('endAllOf ends the stored sessions and leaves the epoch', [ONE, RACE, REVOKES], (inner) => ({
    async endAllOf(id) {
      await endStored(inner, id)
      return 0
    },
  })),
  broken('endAllOf bumps the epochs of everybody', [ONE, ENDS, REVOKES], (inner, { accounts }) => ({
    async endAllOf(id) {
      const count = await inner.endAllOf(id)
      for (const account of await accounts.page(undefined, 100)) await inner.endAllOf(account.id)
      return count
    },
  })),
  broken('endAllOf bumps the epoch by two', [ONE, RACE], (inner) => ({
    async endAllOf(id) {
      await inner.endAllOf(id)
      return await inner.endAllOf(id)
    },
  })),
  broken('endAllOf sets an empty password', [ONE], (_, { accounts }) => ({
    endAllOf: async (id) => ((await accounts.setPassword(id, '' as PasswordHash)) === 'set' ? 0 : undefined),
  })),
  broken('endAllOf locks the account', [ONE, AGAIN, REVOKES], (_, { accounts }) => ({
    endAllOf: async (id) => ((await accounts.setDisabled(id, 1)) === 'set' ? 0 : undefined),
  })),
  broken('endAllOf lifts a lock', [ONE], (inner, { accounts }) => ({
    async endAllOf(id) {
      const answer = await accounts.setDisabled(id, undefined)
      return answer === 'set' ? 0 : await inner.endAllOf(id)
    },
  })),
  broken('endAllOf takes the roles away', [ONE], (inner, { accounts, roles }) => ({
    async endAllOf(id) {
      const account = await accounts.find(id)
      for (const { key } of account?.roles ?? []) await roles.unassign(account?.email ?? ('' as never), key)
      return await inner.endAllOf(id)
    },
  })),
  broken('endAllOf of an unknown account is a count', [ENDS], (inner) => ({
    endAllOf: async (id) => (await inner.endAllOf(id)) ?? 0,
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
  broken('endAllOf bumps the epoch, and ends what is stored later', [POINT], (inner) => ({
    endAllOf: (id) => thenEnd(inner, id, () => inner.endAllOf(id)),
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
