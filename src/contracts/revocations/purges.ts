import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { StatelessLogin } from '../../ports/revocations.js'
import type { Store } from '../../ports/store.js'
import { assertInForce, assertRevoked, enrol, statelessLogin } from '../arrangements.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { DAY, NOW, SECOND } from '../samples.js'

const law = lawOf('revocations')
const END = NOW + DAY

/** How revocations go when no token of theirs is good any more. */
export const revocationPurgeLaws: readonly Law[] = [
  law(
    'purge removes what is over, and nothing that is in force',
    'The store does not grow by what is not needed.',
    async (store) => {
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
    },
  ),
  law(
    'purge of revocations stops at its limit',
    'Cleaning up never stands in the way for long.',
    async (store) => {
      const ann = await enrol(store)
      for (const label of ['1', '2', '3', '4', '5']) await revoked(store, ann, label, END)
      const counts: number[] = []
      for (let call = 0; call < 4; call += 1) counts.push(await store.revocations.purge(END, 2))
      assert.deepEqual(counts, [2, 2, 1, 0])
    },
  ),
  law(
    'purge changes no answer from its moment on',
    'Cleaning up restores no login and ends none.',
    async (store) => {
      const ann = await enrol(store)
      const bob = await enrol(store, 'bob')
      const logins = [statelessLogin(ann, 'never revoked'), statelessLogin(bob, 'locked out')]
      for (const offset of [-DAY, -1, 0, 1, SECOND, DAY]) {
        logins.push(await revoked(store, ann, `until ${offset}`, END + offset))
      }
      await store.accounts.setDisabled(bob.id, NOW)
      const before = await answersOf(store, logins)
      assert.deepEqual(before.flat().filter(Boolean).length, 10)
      assert.equal(await store.revocations.purge(END, 100), 3)
      assert.deepEqual(await answersOf(store, logins), before)
    },
  ),
  law(
    'of 16 purges at once each revocation is counted once',
    'The record of what was cleaned up is true.',
    async (store) => {
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
    },
  ),
  law(
    'a revocation that is prolonged while it is purged is not lost',
    'Cleaning up undoes no logout.',
    async (store) => {
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
    },
  ),
]

/** A login that was revoked until then. */
async function revoked(
  store: Store,
  account: Account,
  label: string,
  until: Instant,
): Promise<StatelessLogin> {
  const login = statelessLogin(account, label)
  await store.revocations.revoke(login.sessionId, until)
  return login
}

/** Whether each is revoked, at the end and at some moments after it. */
async function answersOf(store: Store, logins: readonly StatelessLogin[]): Promise<readonly boolean[][]> {
  const answers: boolean[][] = []
  for (const login of logins) {
    const row: boolean[] = []
    for (const at of [END, END + 1, END + SECOND, END + 2 * DAY]) {
      row.push(await store.revocations.isRevoked(login, at))
    }
    answers.push(row)
  }
  return answers
}
