import assert from 'node:assert/strict'
import type { Instant } from '../../domain/instant.js'
import { type MailJob, MAIL_KINDS } from '../../domain/mail.js'
import type { Store } from '../../ports/store.js'
import { assertRace, inRounds, numbersBelow, race, lawOf, type Law } from '../law.js'
import { aMailJob, DAY, emailOf, NOW, SECOND, AWKWARD_STRINGS } from '../samples.js'

const law = lawOf('mailQueue')
const UNTIL = NOW + 30 * SECOND
/** A queue capacity that no law reaches. */
const MOST = 1_000

/** Contract tests for queued mail jobs and the workers that claim them. */
export const mailQueueLaws: readonly Law[] = [
  law('a job is returned unchanged, and absent properties stay absent')
    .protects('The email goes to the requested address.')
    .check(async (store) => {
      const jobs = [
        ...AWKWARD_STRINGS.map((text, index) =>
          aMailJob(`1-${String(index).padStart(2, '0')}`, {
            ...{ email: emailOf(text), address: ` ${text}`, requestId: text + text, about: text },
          }),
        ),
        ...MAIL_KINDS.map((kind, index) =>
          aMailJob(`2-${String(index).padStart(2, '0')}`, { kind, attempts: index }),
        ),
        aMailJob('3-0', { address: '' }),
        aMailJob('3-1', { requestId: 'request' }),
        aMailJob('3-2', { about: 'Firefox 130 on Linux' }),
        aMailJob('3-3', { askedAt: NOW + 1 }),
      ]
      await enqueueAll(store, jobs)
      assert.deepEqual(await claimAll(store, NOW + 1), jobs)
    }),
  law('jobs are claimed in the order of their IDs, regardless of the order in which they were enqueued')
    .protects('Emails are sent in the order of their requests.')
    .check(async (store) => {
      const jobs = inOrder()
      const [first, ...others] = jobs
      assert.ok(first)
      await enqueueAll(store, [...others.toReversed(), first])
      assert.deepEqual(await claimAll(store, NOW + SECOND), jobs)
    }),
  law('no other caller can claim a job until the current claim expires')
    .protects('An email is sent once, even if its worker was killed.')
    .check(async (store) => {
      const job = aMailJob('0')
      await enqueueAll(store, [job])
      assert.deepEqual(await store.mailQueue.claim(NOW, UNTIL), job)
      for (const at of [NOW, UNTIL - 1]) assert.equal(await store.mailQueue.claim(at, DAY + at), undefined)
      assert.deepEqual(await store.mailQueue.claim(UNTIL, UNTIL + SECOND), job)
      assert.equal(await store.mailQueue.claim(UNTIL + SECOND - 1, UNTIL + DAY), undefined)
      assert.deepEqual(await store.mailQueue.claim(UNTIL + SECOND, UNTIL + DAY), job)
    }),
  law(
    'a postponed job can be claimed again only when the job is due, with its attempt count increased by one',
  )
    .protects('An email that a failing mail server did not accept is retried later, but not forever.')
    .check(async (store) => {
      const job = aMailJob('0')
      await enqueueAll(store, [job])
      for (const attempts of [1, 2, 3]) {
        const dueAt = NOW + attempts * SECOND
        await store.mailQueue.claim(dueAt - SECOND, UNTIL)
        await store.mailQueue.postpone({ id: job.id, until: UNTIL }, dueAt)
        assert.equal(await store.mailQueue.claim(dueAt - 1, UNTIL), undefined, 'before the job is due')
        assert.deepEqual(
          await store.mailQueue.claim(dueAt, dueAt),
          { ...job, attempts },
          'when the job is due',
        )
      }
    }),
  law('a job that is not due does not block later jobs, and is claimed first when it is due')
    .protects('An address that rejects emails does not delay emails to other addresses.')
    .check(async (store) => {
      const [first, second, third] = [aMailJob('0'), aMailJob('1'), aMailJob('2')]
      await enqueueAll(store, [first, second, third])
      const { id } = (await store.mailQueue.claim(NOW, UNTIL)) ?? first
      await store.mailQueue.postpone({ id, until: UNTIL }, NOW + SECOND)
      assert.deepEqual(await store.mailQueue.claim(NOW, UNTIL), second)
      assert.deepEqual(await store.mailQueue.claim(NOW + SECOND, UNTIL), { ...first, attempts: 1 })
      assert.deepEqual(await store.mailQueue.claim(NOW + SECOND, UNTIL), third)
    }),
  law('a removed job is never claimed again, even after a postponement, and a second removal has no effect')
    .protects('An email that was sent is not sent again.')
    .check(async (store) => {
      const jobs = [aMailJob('0'), aMailJob('1'), aMailJob('2')] as const
      const claims = jobs.map(({ id }) => ({ id, until: UNTIL }))
      await enqueueAll(store, jobs)
      for (const { id } of jobs.slice(0, 2)) assert.equal((await store.mailQueue.claim(NOW, UNTIL))?.id, id)
      await store.mailQueue.postpone(claims[1] ?? assert.fail(), NOW + SECOND)
      await store.mailQueue.claim(NOW + SECOND, UNTIL)
      for (const claim of [...claims.slice(0, 2), ...claims.slice(0, 2)]) await store.mailQueue.remove(claim)
      assert.deepEqual(await claimAll(store, UNTIL + DAY), [jobs[2]])
    }),
  law('postponing a removed job does not restore the job')
    .protects('A late worker does not send an email a second time.')
    .check(async (store) => {
      const [job, other] = [aMailJob('0'), aMailJob('1')]
      await enqueueAll(store, [job, other])
      const claim = { id: job.id, until: UNTIL }
      await store.mailQueue.claim(NOW, UNTIL)
      await store.mailQueue.remove(claim)
      await store.mailQueue.postpone(claim, NOW)
      assert.deepEqual(await claimAll(store, NOW + DAY), [other])
    }),
  law('enqueue returns `full` at its limit, and accepts jobs again after a job is removed')
    .protects('A flood of email requests fills neither the disk nor a mailbox.')
    .check(async (store) => {
      const [first, second, third] = [aMailJob('0'), aMailJob('1'), aMailJob('2')]
      assert.equal(await store.mailQueue.enqueue(first, 2), 'queued')
      await store.mailQueue.claim(NOW, UNTIL)
      assert.equal(await store.mailQueue.enqueue(second, 2), 'queued')
      await store.mailQueue.claim(NOW, UNTIL)
      await store.mailQueue.postpone({ id: second.id, until: UNTIL }, NOW + SECOND)
      assert.equal(await store.mailQueue.enqueue(third, 2), 'full')
      assert.deepEqual(await claimAll(store, UNTIL), [first, { ...second, attempts: 1 }])
      await store.mailQueue.remove({ id: first.id, until: UNTIL + DAY })
      assert.equal(await store.mailQueue.enqueue(third, 2), 'queued')
      assert.deepEqual(await store.mailQueue.claim(NOW, UNTIL), third)
    }),
  law('16 concurrent claims give each job to only one caller, including jobs with expired claims')
    .protects('Each email is sent once, even with many servers.')
    .check(async (store) => {
      const jobs = numbersBelow(10).map((rank) => aMailJob(String(rank)))
      await enqueueAll(store, jobs)
      await inRounds(async (round) => {
        const at = NOW + round * DAY
        const claimed = await race(() => store.mailQueue.claim(at, at + DAY))
        const ids = claimed.map((job) => job?.id ?? 'none').toSorted()
        const none = Array.from({ length: 6 }, () => 'none')
        assert.deepEqual(ids, [...jobs.map(({ id }) => id), ...none])
      })
    }),
  law('16 concurrently enqueued jobs are all stored, and each can be claimed when its call resolves')
    .protects('Each concurrent request results in an email.')
    .check(async (store) => {
      await assertRace({ queued: 16 }, async (caller) => {
        const answer = await store.mailQueue.enqueue(aMailJob(caller.toString(16)), MOST)
        assert.ok(await store.mailQueue.claim(NOW, UNTIL), 'there is a job for each caller')
        return answer
      })
      assert.equal((await claimAll(store, UNTIL)).length, 16)
    }),
  law('16 concurrent removals and postponements all take effect')
    .protects('Concurrent workers remove every email that was sent and count every attempt.')
    .check(async (store) => {
      const jobs = numbersBelow(16).map((rank) => aMailJob(rank.toString(16)))
      await enqueueAll(store, jobs)
      for (const _ of jobs) await store.mailQueue.claim(NOW, UNTIL)
      const claimOf = (caller: number) => ({ id: jobs[caller]?.id ?? assert.fail(), until: UNTIL })
      await race((caller) =>
        caller % 2 === 0
          ? store.mailQueue.remove(claimOf(caller))
          : store.mailQueue.postpone(claimOf(caller), NOW + SECOND),
      )
      const left = jobs.filter((_, rank) => rank % 2 === 1).map((job) => ({ ...job, attempts: 1 }))
      assert.deepEqual(await claimAll(store, UNTIL), left)
    }),
  law('an expired claim can neither postpone nor remove a job that has been claimed again')
    .protects('A stalled worker does not interfere with the worker that took over the email.')
    .check(async (store) => {
      const job = aMailJob('0')
      const [late, next] = [UNTIL, UNTIL + DAY].map((until) => ({ id: job.id, until }))
      assert.ok(late && next)
      await store.mailQueue.enqueue(job, MOST)
      await store.mailQueue.claim(NOW, late.until)
      await store.mailQueue.claim(UNTIL, next.until)
      await store.mailQueue.postpone(late, NOW)
      assert.equal(
        await store.mailQueue.claim(next.until - 1, next.until),
        undefined,
        'the job was not postponed',
      )
      await store.mailQueue.remove(late)
      assert.deepEqual(
        await store.mailQueue.listTo(job.email),
        [job],
        'the job was not removed, and no attempt was counted',
      )
      await store.mailQueue.postpone(next, UNTIL + SECOND)
      assert.deepEqual(await store.mailQueue.claim(UNTIL + SECOND, next.until), { ...job, attempts: 1 })
    }),
  law('a claim has no further effect after it has postponed its job')
    .protects('A call that is repeated after a lost reply counts as one attempt.')
    .check(async (store) => {
      const job = aMailJob('0')
      const claim = { id: job.id, until: UNTIL }
      await store.mailQueue.enqueue(job, MOST)
      await store.mailQueue.claim(NOW, UNTIL)
      await store.mailQueue.postpone(claim, NOW + SECOND)
      await store.mailQueue.postpone(claim, NOW + DAY)
      await store.mailQueue.remove(claim)
      assert.deepEqual(await store.mailQueue.claim(NOW + SECOND, UNTIL + DAY), { ...job, attempts: 1 })
    }),
  law('if 8 concurrent calls claim a job or postpone it with an expired claim, only one call succeeds')
    .protects('An email that is claimed while another worker postpones it is sent once.')
    .check(async (store) => {
      const { id } = aMailJob('0')
      await store.mailQueue.enqueue(aMailJob('0'), MOST)
      await inRounds(async (round) => {
        const at = NOW + round * DAY
        const until = at + SECOND
        await store.mailQueue.claim(at, until)
        const claims = await race(async (caller) => {
          if (caller % 2 === 1) return await store.mailQueue.claim(until, at + DAY)
          await store.mailQueue.postpone({ id, until }, until)
          return undefined
        })
        assert.equal(claims.filter((job) => job !== undefined).length, 1)
        assert.equal(await store.mailQueue.claim(at + DAY - 1, at + DAY), undefined)
      })
    }),
]

async function enqueueAll(store: Store, jobs: readonly MailJob[]): Promise<void> {
  for (const job of jobs) assert.equal(await store.mailQueue.enqueue(job, MOST), 'queued')
}

async function claimAll(store: Store, at: Instant): Promise<readonly MailJob[]> {
  const claimed: MailJob[] = []
  for (let job = await store.mailQueue.claim(at, at + DAY); job;) {
    claimed.push(job)
    assert.ok(claimed.length < MOST, 'the queue runs out of jobs')
    job = await store.mailQueue.claim(at, at + DAY)
  }
  return claimed
}

/** Returns jobs with different instants and several jobs with the same instant, in ID order. */
function inOrder(): readonly MailJob[] {
  return [
    ...[15, 16, NOW - 1].map((askedAt) => aMailJob('0', { askedAt })),
    ...['0', '00', '9', 'B', '_', 'a'].map((rank) => aMailJob(rank)),
    aMailJob('0', { askedAt: NOW + SECOND }),
  ]
}
