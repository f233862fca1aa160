import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { StatelessLogin } from '../../ports/revocations.js'
import type { Store } from '../../ports/store.js'
import { addAccount } from '../arrangements.js'
import { assertInForce, assertRevoked, statelessLogin } from '../stateless-logins.js'
import { assertRace, eachInOrder, numbersBelow, race, sumOf } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { DAY, NOW, SECOND } from '../samples.js'

const law = lawOf('revocations')
const accountLaw = lawOf('revocations', addAccount)
const END = NOW + DAY

/** Contract tests for the result of `revoke`, and for purging revocations. */
export const revocationPurgeLaws: readonly Law[] = [
  accountLaw('purge removes only revocations that have ended')
    .protects('The store does not keep expired data.')
    .check(async (store, ann) => {
      const kept = await revoked(store, ann, 'kept', END + 1)
      await revoked(store, ann, 'over', END)
      await revoked(store, ann, 'long over', NOW)
      const moments = [NOW - 1, NOW, END - 1, END, END]
      const counts = await eachInOrder(moments, (at) => store.revocations.purge(at, 10))
      assert.deepEqual(counts, [0, 1, 0, 1, 0])
      await assertRevoked(store, kept, END)
      assert.equal(await store.revocations.purge(END + 1, 10), 1)
      await assertInForce(store, kept, NOW)
    }),
  accountLaw('purge does not change the result of any call at or after the time of the purge')
    .protects('Purging neither restores nor ends a login.')
    .check(async (store, ann) => {
      const bob = await addAccount(store, 'bob')
      const logins = [statelessLogin(ann, 'never revoked'), statelessLogin(bob, 'locked out')]
      for (const offset of [-DAY, -1, 0, 1, SECOND, DAY])
        logins.push(await revoked(store, ann, `until ${offset}`, END + offset))
      await store.accounts.setDisabled(bob.id, NOW)
      const before = await answersOf(store, logins)
      assert.deepEqual(before.flat().filter(Boolean).length, 10)
      assert.equal(await store.revocations.purge(END, 100), 3)
      assert.deepEqual(await answersOf(store, logins), before)
    }),
  accountLaw('16 concurrent purges count each revocation once')
    .protects('The reported number of removed records is correct.')
    .inRounds(async (store, round, ann) => {
      const labels = numbersBelow(20).map((index) => `${round} ${index}`)
      for (const label of labels) await revoked(store, ann, label, END)
      const kept = await revoked(store, ann, `${round} kept`, END + DAY)
      const counts = await race(() => store.revocations.purge(END, 3))
      const late = await store.revocations.purge(END, 100)
      assert.equal(sumOf(counts) + late, labels.length)
      assert.ok(Math.max(...counts) <= 3, 'no call exceeds its limit')
      await assertRevoked(store, kept, END)
    }),
  accountLaw('a revocation that is extended during a purge is not lost')
    .protects('Purging does not undo a logout.')
    .inRounds(async (store, round, ann) => {
      const login = await revoked(store, ann, `login ${round}`, END)
      await race<unknown>((caller) =>
        caller === 5 ? store.revocations.revoke(login.sessionId, END + 2) : store.revocations.purge(END, 10),
      )
      await assertRevoked(store, login, END + 1)
      assert.equal(await store.revocations.purge(END + 2, 10), 1)
    }),
  law('revoke reports whether the call changed anything')
    .protects('A login can be replaced by another login only once.')
    .check(async (store) => {
      const { sessionId } = statelessLogin(await addAccount(store))
      const ends = [END, END, END - 1, END + 1, END + 1]
      const outcomes = await eachInOrder(ends, (until) => store.revocations.revoke(sessionId, until))
      assert.deepEqual(outcomes, ['revoked', 'unchanged', 'unchanged', 'revoked', 'unchanged'])
    }),
  accountLaw('16 concurrent revokes of a login with the same end report one change')
    .protects('Two administrators with the same stolen token cannot both start to act as another account.')
    .inRounds(async (store, round, ann) => {
      const { sessionId } = statelessLogin(ann, `login ${round}`)
      await assertRace({ revoked: 1, unchanged: 15 }, () => store.revocations.revoke(sessionId, END))
    }),
]

async function revoked(store: Store, account: Account, label: string, until: Instant) {
  const login = statelessLogin(account, label)
  await store.revocations.revoke(login.sessionId, until)
  return login
}

/** For each login, returns whether it is revoked at `END` and at several later instants. */
function answersOf(store: Store, logins: readonly StatelessLogin[]): Promise<readonly boolean[][]> {
  const moments = [END, END + 1, END + SECOND, END + 2 * DAY]
  return eachInOrder(logins, (login) => eachInOrder(moments, (at) => store.revocations.isRevoked(login, at)))
}
