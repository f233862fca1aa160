import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('accounts')
const ONE = 'moveEpoch moves the epoch by one and changes nothing else'
const ENDS = 'moveEpoch ends every session of the account and of no other'
const AGAIN = 'moveEpoch lets the account log in again'
const RACE = 'of 16 moveEpoch at once each moves the epoch'
const REFRESHES = 'sessions: refreshes that race moveEpoch leave nothing living'
const REVOKES = 'revocations: moveEpoch revokes every login of before'

export const brokenAccountEpochs: readonly Breakage[] = [
  broken('moveEpoch only says so', [ONE, ENDS, RACE, REFRESHES, REVOKES], (inner) => ({
    moveEpoch: async (id) => ((await inner.find(id)) ? 'moved' : 'unknown'),
  })),
  broken('moveEpoch ends the stored sessions and leaves the epoch', [ONE, RACE, REVOKES], (inner, store) => ({
    async moveEpoch(id) {
      await store.sessions.endAllOf(id)
      return (await inner.find(id)) ? 'moved' : 'unknown'
    },
  })),
  broken('moveEpoch moves the epochs of everybody', [ONE, ENDS, REVOKES], (inner) => ({
    async moveEpoch(id) {
      const known = (await inner.find(id)) !== undefined
      for (const account of await inner.page(undefined, 100)) await inner.moveEpoch(account.id)
      return known ? 'moved' : 'unknown'
    },
  })),
  broken('moveEpoch moves the epoch by two', [ONE, RACE], (inner) => ({
    async moveEpoch(id) {
      await inner.moveEpoch(id)
      return await inner.moveEpoch(id)
    },
  })),
  broken('moveEpoch sets an empty password', [ONE], (inner) => ({
    moveEpoch: async (id) =>
      (await inner.setPassword(id, '' as PasswordHash)) === 'set' ? 'moved' : 'unknown',
  })),
  broken('moveEpoch locks the account', [ONE, AGAIN, REVOKES], (inner) => ({
    moveEpoch: async (id) => ((await inner.setDisabled(id, 1)) === 'set' ? 'moved' : 'unknown'),
  })),
  broken('moveEpoch lifts a lock', [ONE], (inner) => ({
    async moveEpoch(id) {
      const answer = await inner.setDisabled(id, undefined)
      return answer === 'set' ? 'moved' : await inner.moveEpoch(id)
    },
  })),
  broken('moveEpoch takes the roles away', [ONE], (inner, { roles }) => ({
    async moveEpoch(id) {
      const account = await inner.find(id)
      for (const { key } of account?.roles ?? []) await roles.unassign(account?.email ?? ('' as never), key)
      return await inner.moveEpoch(id)
    },
  })),
  broken('moveEpoch of nobody is moved', [ONE], (inner) => ({
    async moveEpoch(id) {
      await inner.moveEpoch(id)
      return 'moved'
    },
  })),
  broken('moveEpoch drops a second call at once', [RACE], (inner) => {
    let busy = false
    return {
      async moveEpoch(id) {
        if (busy) return 'moved'
        busy = true
        await everybodyElse()
        busy = false
        return await inner.moveEpoch(id)
      },
    }
  }),
]
