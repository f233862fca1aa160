import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { StatelessLogin } from '../../ports/revocations.js'
import type { Store } from '../../ports/store.js'
import { enrol } from '../arrangements.js'
import { assertInForce, assertRevoked, statelessLogin } from '../stateless-logins.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { DAY, NOW, SECOND } from '../samples.js'

const law = lawOf('revocations')
const END = NOW + DAY

/** What `revoke` answers, and when `purge` removes a revocation. */
export const revocationPurgeLaws: readonly Law[] = [
  law('purge removes what is over, and nothing that is in force')
    .protects('The store does not grow by what is not needed.')
    .check(async (store) => {
      const ann = await enrol(store)
      const kept = await revoked(store, ann, 'kept', END + 1)
      await revoked(store, ann, 'over', END)
      await revoked(store, ann, 'long over', NOW)
      assert.equal(await store.revocations.purge(NOW - 1, 10), 0)
      assert.equal(await store.revocations.purge(NOW, 10), 1)
      assert.equal(await store.revocations.purge(END - 1, 10), 0)
      assert.equal(await store.revocations.purge(END, 10), 1)
      assert.equal(await store.revocations.purge(END, 10), 0)
      await assertRevoked(store, kept, END)
      assert.equal(await store.revocations.purge(END + 1, 10), 1)
      await assertInForce(store, kept, NOW)
    }),
  law('purge of revocations stops at its limit')
    .protects('Cleaning up never stands in the way for long.')
    .check(async (store) => {
      const ann = await enrol(store)
      for (const label of ['1', '2', '3', '4', '5']) await revoked(store, ann, label, END)
      const counts: number[] = []
      for (let call = 0; call < 4; call += 1) counts.push(await store.revocations.purge(END, 2))
      assert.deepEqual(counts, [2, 2, 1, 0])
    }),
  law('purge changes no answer from its moment on')
    .protects('Cleaning up restores no login and ends none.')
    .check(async (store) => {
      const ann = await enrol(store)
      const bob = await enrol(store, 'bob')
      const logins = [statelessLogin(ann, 'never revoked'), statelessLogin(bob, 'locked out')]
      for (const offset of [-DAY, -1, 0, 1, SECOND, DAY])
        logins.push(await revoked(store, ann, `until ${offset}`, END + offset))
      await store.accounts.setDisabled(bob.id, NOW)
      const before = await answersOf(store, logins)
      assert.deepEqual(before.flat().filter(Boolean).length, 10)
      assert.equal(await store.revocations.purge(END, 100), 3)
      assert.deepEqual(await answersOf(store, logins), before)
    }),
  law('of 16 purges at once each revocation is counted once')
    .protects('The record of what was cleaned up is true.')
    .check(async (store) => {
      const ann = await enrol(store)
      await inRounds(async (round) => {
        const labels = Array.from({ length: 20 }, (_, index) => `${round} ${index}`)
        for (const label of labels) await revoked(store, ann, label, END)
        const kept = await revoked(store, ann, `${round} kept`, END + DAY)
        const counts = await race(() => store.revocations.purge(END, 3))
        const late = await store.revocations.purge(END, 100)
        assert.equal(counts.reduce((sum, count) => sum + count) + late, labels.length)
        assert.ok(Math.max(...counts) <= 3, 'no call goes beyond its limit')
        await assertRevoked(store, kept, END)
      })
    }),
  law('a revocation that is prolonged while it is purged is not lost')
    .protects('Cleaning up undoes no logout.')
    .check(async (store) => {
      const ann = await enrol(store)
      await inRounds(async (round) => {
        const login = await revoked(store, ann, `login ${round}`, END)
        await race<unknown>((caller) =>
          caller === 5
            ? store.revocations.revoke(login.sessionId, END + 2)
            : store.revocations.purge(END, 10),
        )
        await assertRevoked(store, login, END + 1)
        assert.equal(await store.revocations.purge(END + 2, 10), 1)
      })
    }),
  law('revoke says whether it changed anything')
    .protects('A login that has been given up for another one is not given up for a second one.')
    .check(async (store) => {
      const { sessionId } = statelessLogin(await enrol(store))
      const outcomes = []
      for (const until of [END, END, END - 1, END + 1, END + 1])
        outcomes.push(await store.revocations.revoke(sessionId, until))
      assert.deepEqual(outcomes, ['revoked', 'unchanged', 'unchanged', 'revoked', 'unchanged'])
    }),
  law('of 16 revokes of one login with one end at once exactly one changes something')
    .protects('Of two administrators with one stolen token only one becomes another account.')
    .check(async (store) => {
      const ann = await enrol(store)
      await inRounds(async (round) => {
        const { sessionId } = statelessLogin(ann, `login ${round}`)
        const outcomes = await race(() => store.revocations.revoke(sessionId, END))
        assert.deepEqual(tally(outcomes), { revoked: 1, unchanged: 15 })
      })
    }),
]

/** A login that was revoked until then. */
async function revoked(store: Store, account: Account, label: string, until: Instant) {
  const login = statelessLogin(account, label)
  await store.revocations.revoke(login.sessionId, until)
  return login
}

/** Whether each is revoked, at the end and at some moments after it. */
async function answersOf(store: Store, logins: readonly StatelessLogin[]): Promise<readonly boolean[][]> {
  const answers: boolean[][] = []
  for (const login of logins) {
    const row: boolean[] = []
    for (const at of [END, END + 1, END + SECOND, END + 2 * DAY])
      row.push(await store.revocations.isRevoked(login, at))
    answers.push(row)
  }
  return answers
}
