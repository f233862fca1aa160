import assert from 'node:assert/strict'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aMailJob, DAY, NOW, SECOND } from '../samples.js'

const law = lawOf('mailQueue')
const UNTIL = NOW + 30 * SECOND
const MOST = 10

/** What a worker may do that stood still until its claim was over. */
export const mailQueueClaimLaws: readonly Law[] = [
  law(
    'a claim that another one has followed neither postpones the job nor removes it',
    'A worker that stood still takes no mail from the one that sends it by then.',
    async (store) => {
      const job = aMailJob('0')
      const [late, next] = [UNTIL, UNTIL + DAY].map((until) => ({ id: job.id, until }))
      assert.ok(late && next)
      await store.mailQueue.enqueue(job, MOST)
      await store.mailQueue.claim(NOW, late.until)
      await store.mailQueue.claim(UNTIL, next.until)
      await store.mailQueue.postpone(late, NOW)
      assert.equal(await store.mailQueue.claim(next.until - 1, next.until), undefined, 'it was not postponed')
      await store.mailQueue.remove(late)
      assert.deepEqual(await store.mailQueue.listTo(job.email), [job], 'it was neither removed nor tried')
      await store.mailQueue.postpone(next, UNTIL + SECOND)
      assert.deepEqual(await store.mailQueue.claim(UNTIL + SECOND, next.until), { ...job, attempts: 1 })
    },
  ),
  law(
    'a claim that postponed its job does nothing more to it',
    'An answer that was lost, and is asked for again, counts as one try.',
    async (store) => {
      const job = aMailJob('0')
      const claim = { id: job.id, until: UNTIL }
      await store.mailQueue.enqueue(job, MOST)
      await store.mailQueue.claim(NOW, UNTIL)
      await store.mailQueue.postpone(claim, NOW + SECOND)
      await store.mailQueue.postpone(claim, NOW + DAY)
      await store.mailQueue.remove(claim)
      assert.deepEqual(await store.mailQueue.claim(NOW + SECOND, UNTIL + DAY), { ...job, attempts: 1 })
    },
  ),
  law(
    "of a claim that has run out, which postpones the job, and 8 new ones at once the job is one caller's",
    'A mail that is claimed in the moment in which it is given back is sent once.',
    async (store) => {
      const { id } = aMailJob('0')
      await store.mailQueue.enqueue(aMailJob('0'), MOST)
      await inRounds(async (round) => {
        const at = NOW + round * DAY
        const until = at + SECOND
        await store.mailQueue.claim(at, until)
        const given = await race(async (caller) => {
          if (caller % 2 === 1) return await store.mailQueue.claim(until, at + DAY)
          await store.mailQueue.postpone({ id, until }, until)
          return undefined
        })
        assert.equal(given.filter((job) => job !== undefined).length, 1)
        assert.equal(await store.mailQueue.claim(at + DAY - 1, at + DAY), undefined)
      })
    },
  ),
]
