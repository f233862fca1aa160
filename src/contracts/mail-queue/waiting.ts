import assert from 'node:assert/strict'
import type { Instant } from '../../domain/instant.js'
import type { MailJobId } from '../../domain/mail.js'
import type { Store } from '../../ports/store.js'
import { numbersBelow, race, sumOf, lawOf, type Law } from '../law.js'
import { aMailJob, DAY, NOW, SECOND, AWKWARD_STRINGS, emailOf } from '../samples.js'

const law = lawOf('mailQueue')
const SOON = NOW + SECOND
const MOST = 1_000

/** Contract tests for listing and removing waiting mail jobs, either all jobs or the jobs for one address. */
export const waitingMailLaws: readonly Law[] = [
  law('waiting lists due, unclaimed jobs in order and in pages, and does not claim them')
    .protects('Listing the queue does not delay an email.')
    .check(async (store) => {
      const jobs = await enqueueJobs(store, ['3', '1', '5', '0', '2', '4'])
      const [claimed, postponed] = jobs
      assert.ok(claimed && postponed)
      for (const job of [claimed, postponed]) assert.deepEqual(await store.mailQueue.claim(NOW, SOON), job)
      await store.mailQueue.postpone({ id: postponed.id, until: SOON }, SOON)
      const free = jobs.slice(2)
      for (const at of [NOW, SOON - 1]) {
        assert.deepEqual(await store.mailQueue.waiting(undefined, at, 10), free)
        assert.deepEqual(await store.mailQueue.waiting(undefined, at, 2), free.slice(0, 2))
        assert.deepEqual(await store.mailQueue.waiting(postponed.id, at, 2), free.slice(0, 2))
        assert.deepEqual(await store.mailQueue.waiting(jobs[2]?.id, at, 2), free.slice(1, 3))
        assert.deepEqual(await store.mailQueue.waiting(jobs[4]?.id, at, 10), free.slice(3))
      }
      assert.deepEqual(await store.mailQueue.claim(NOW, SOON), jobs[2])
    }),
  law('every call of waiting lists jobs with expired claims and due postponed jobs')
    .protects('The list includes postponed emails, and emails that a killed worker had claimed.')
    .check(async (store) => {
      const [claimed, postponed] = await enqueueJobs(store, ['0', '1'])
      assert.ok(claimed && postponed)
      for (const _ of ['first', 'second']) await store.mailQueue.claim(NOW, SOON)
      await store.mailQueue.postpone({ id: postponed.id, until: SOON }, SOON)
      for (const _ of ['first', 'second']) {
        const shown = await store.mailQueue.waiting(undefined, SOON, 10)
        assert.deepEqual(shown, [claimed, { ...postponed, attempts: 1 }])
      }
      assert.deepEqual(await store.mailQueue.claim(SOON, SOON + DAY), claimed)
    }),
  law('discard removes those given jobs that are unclaimed, and returns their IDs')
    .protects('An email that a worker is sending is not discarded.')
    .check(async (store) => {
      const jobs = await enqueueJobs(store, ['0', '1', '2', '3', '4'])
      const ids = jobs.map(({ id }) => id)
      for (let count = 0; count < 3; count += 1) await store.mailQueue.claim(NOW, SOON)
      await store.mailQueue.remove({ id: ids[1] as MailJobId, until: SOON })
      await store.mailQueue.postpone({ id: ids[2] as MailJobId, until: SOON }, SOON)
      assert.deepEqual(await store.mailQueue.discard([], NOW), [])
      const named = ids.slice(0, 4)
      assert.deepEqual(new Set(await store.mailQueue.discard(named, SOON - 1)), new Set(ids.slice(2, 4)))
      assert.deepEqual(await store.mailQueue.discard(named.slice(1), SOON), [])
      const left = [jobs[0], jobs[4]]
      assert.deepEqual(await store.mailQueue.waiting(undefined, SOON, 10), left)
      assert.deepEqual(await store.mailQueue.discard(named, SOON), [ids[0]])
      assert.deepEqual(await store.mailQueue.waiting(undefined, SOON, 10), [jobs[4]])
    }),
  law('16 concurrent discards and claims give each job to only one caller')
    .protects('A discarded email is audited once and never sent.')
    .inRounds(async (store, round) => {
      const ranks = numbersBelow(8).map((rank) => `${round}-${rank}`)
      const ids = (await enqueueJobs(store, ranks, NOW + round * DAY)).map(({ id }) => id)
      const at = NOW + round * DAY
      const taken = await race(async (caller) => {
        if (caller % 2 === 0) return await store.mailQueue.discard(ids, at)
        const job = await store.mailQueue.claim(at, at + DAY)
        return job ? [job.id] : []
      })
      assert.deepEqual(taken.flat().toSorted(), ids)
      for (const id of ids) await store.mailQueue.remove({ id, until: at + DAY })
    }),
  law('listTo lists every waiting email to an address, in order, and claims no job')
    .protects('Users can learn which emails to them are stored.')
    .check(async (store) => {
      const jobs = ['3', '1', '0', '2'].map((rank) => aMailJob(rank, { email: ANN, address: `of ${rank}` }))
      for (const job of [...jobs, aMailJob('4', { email: BOB })]) await store.mailQueue.enqueue(job, MOST)
      const inOrder = jobs.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      assert.deepEqual(await store.mailQueue.listTo(ANN), inOrder)
      assert.deepEqual(await store.mailQueue.claim(NOW, SOON), inOrder[0])
      const second = (await store.mailQueue.claim(NOW, SOON)) ?? assert.fail('there is a job')
      await store.mailQueue.postpone({ id: second.id, until: SOON }, SOON)
      const tried = inOrder.map((job) => (job.id === second.id ? { ...job, attempts: 1 } : job))
      assert.deepEqual(await store.mailQueue.listTo(ANN), tried)
      assert.deepEqual(await store.mailQueue.listTo(emailOf('carol')), [])
    }),
  law('removeTo removes exactly the emails to an address, claimed or not, and returns their number')
    .protects('A deleted account gets no email from an earlier request.')
    .check(async (store) => {
      const addresses = AWKWARD_STRINGS.map(emailOf)
      for (const [index, email] of [ANN, ANN, ANN, BOB, ...addresses].entries())
        await store.mailQueue.enqueue(aMailJob(String(index).padStart(2, '0'), { email }), MOST)
      const claimed = await store.mailQueue.claim(NOW, SOON)
      assert.equal(claimed?.email, ANN)
      assert.equal(await store.mailQueue.removeTo(ANN), 3)
      assert.equal(await store.mailQueue.removeTo(ANN), 0)
      await store.mailQueue.postpone({ id: claimed.id, until: SOON }, NOW)
      assert.deepEqual(await store.mailQueue.listTo(ANN), [])
      const left = await store.mailQueue.waiting(undefined, SOON, 100)
      const emails = left.map(({ email }) => email)
      assert.deepEqual(emails, [BOB, ...addresses])
      for (const email of addresses) {
        assert.equal((await store.mailQueue.listTo(email)).length, 1, email)
        assert.equal(await store.mailQueue.removeTo(email), 1, email)
      }
      assert.equal((await store.mailQueue.waiting(undefined, SOON, 100)).length, 1)
    }),
  law('16 concurrent removeTo calls count each email once')
    .protects('The reported number of removed emails is correct.')
    .inRounds(async (store, round) => {
      for (let count = 0; count < 5; count += 1)
        await store.mailQueue.enqueue(aMailJob(`${round}-${count}`, { email: ANN }), MOST)
      const counts = await race(() => store.mailQueue.removeTo(ANN))
      assert.equal(sumOf(counts), 5)
    }),
]

async function enqueueJobs(store: Store, ranks: readonly string[], askedAt: Instant = NOW) {
  for (const rank of ranks)
    assert.equal(await store.mailQueue.enqueue(aMailJob(rank, { askedAt }), MOST), 'queued')
  return ranks.toSorted().map((rank) => aMailJob(rank, { askedAt }))
}

const [ANN, BOB] = [emailOf('ann'), emailOf('bob')]
