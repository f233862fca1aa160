import assert from 'node:assert/strict'
import type { Email } from '../../domain/identity/email.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aMailJob, AWKWARD_TEXTS, emailOf, NOW, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('mailQueue')
const SOON = NOW + SECOND
const MOST = 1_000
const [ANN, BOB] = [emailOf('ann'), emailOf('bob')]

/** What waits for one address. */
export const mailQueueAddressLaws: readonly Law[] = [
  law(
    'listTo shows all that waits for an address, whatever it waits for, in order, and takes none of it',
    'Users can be told what is kept about them.',
    async (store) => {
      const jobs = ['3', '1', '0', '2'].map((rank) => aMailJob(rank, { email: ANN, address: `of ${rank}` }))
      for (const job of [...jobs, aMailJob('4', { email: BOB })]) await store.mailQueue.enqueue(job, MOST)
      const inOrder = jobs.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      assert.deepEqual(await store.mailQueue.listTo(ANN), inOrder)
      assert.deepEqual(await store.mailQueue.claim(NOW, SOON), inOrder[0])
      const second = (await store.mailQueue.claim(NOW, SOON)) ?? assert.fail('there is one')
      await store.mailQueue.postpone({ id: second.id, until: SOON }, SOON)
      const tried = inOrder.map((job) => (job.id === second.id ? { ...job, attempts: 1 } : job))
      assert.deepEqual(await store.mailQueue.listTo(ANN), tried)
      tamperWith(await store.mailQueue.listTo(ANN))
      assert.deepEqual(await store.mailQueue.listTo(ANN), tried)
      assert.deepEqual(await store.mailQueue.listTo(emailOf('carol')), [])
    },
  ),
  law(
    'removeTo removes all that waits for an address, claimed or not, and nothing else, and says how much',
    'An account that was deleted gets no mail that was asked for before.',
    async (store) => {
      const addresses = AWKWARD_TEXTS.map((text) => `${text}@example.org` as Email)
      for (const [index, email] of [ANN, ANN, ANN, BOB, ...addresses].entries())
        await store.mailQueue.enqueue(aMailJob(String(index).padStart(2, '0'), { email }), MOST)
      const claimed = await store.mailQueue.claim(NOW, SOON)
      assert.equal(claimed?.email, ANN)
      assert.equal(await store.mailQueue.removeTo(ANN), 3)
      assert.equal(await store.mailQueue.removeTo(ANN), 0)
      await store.mailQueue.postpone({ id: claimed.id, until: SOON }, NOW)
      assert.deepEqual(await store.mailQueue.listTo(ANN), [])
      const left = await store.mailQueue.waiting(undefined, SOON, 100)
      assert.deepEqual(
        left.map(({ email }) => email),
        [BOB, ...addresses],
      )
      for (const email of addresses) {
        assert.equal((await store.mailQueue.listTo(email)).length, 1, email)
        assert.equal(await store.mailQueue.removeTo(email), 1, email)
      }
      assert.equal((await store.mailQueue.waiting(undefined, SOON, 100)).length, 1)
    },
  ),
  law(
    'of 16 who remove what waits for one address at once each mail is counted once',
    'What is said of a deletion is true.',
    async (store) => {
      await inRounds(async (round) => {
        for (let count = 0; count < 5; count += 1)
          await store.mailQueue.enqueue(aMailJob(`${round}-${count}`, { email: ANN }), MOST)
        const counts = await race(() => store.mailQueue.removeTo(ANN))
        assert.equal(
          counts.reduce((sum, count) => sum + count),
          5,
        )
      })
    },
  ),
]
