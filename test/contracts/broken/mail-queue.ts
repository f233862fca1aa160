import type { MailJobId, MailJob } from '../../../src/domain/mail.js'
import { type Breakage, breakageOf, COPIES, everybodyElse } from './breakage.js'
import type { Instant } from '../../../src/domain/instant.js'
import type { MailQueue } from '../../../src/ports/mail-queue.js'

const broken = breakageOf('mailQueue')
const LETTER = 'a job is handed out to the letter, and what is absent stays absent'
const ORDER = 'jobs are claimed in the order of their ids, in whatever order they were enqueued'
const CLAIM = "a claimed job is no other caller's until its claim runs out, and then it is given again"
const POSTPONED = 'a postponed job is not claimed, is not given before it is due, and was tried once more'
const BEHIND = 'a job that waits for its time holds up none behind it, and is first again when it is due'
const REMOVED = 'a removed job is never given again, postponed before or not, and twice is harmless'
const GONE = 'postponing a job that is gone brings nothing back'
const FULL =
  'no more are kept than may wait, of callers one after another, and there is room when one has gone'
const CLAIMS = "of 16 claims at once each job is one caller's, also of a claim that ran out"
const ENQUEUES = 'of 16 jobs enqueued at once none is lost, and each can be claimed when its call is done'
const EVERY = [LETTER, ORDER, CLAIM, POSTPONED, BEHIND, REMOVED, GONE, FULL, CLAIMS, ENQUEUES, COPIES]
const FOLLOWED = 'a claim that another one has followed neither postpones the job nor removes it'
const SPENT = 'a claim that postponed its job does nothing more to it'
const GIVEN_BACK =
  "of a claim that has run out, which postpones the job, and 8 new ones at once the job is one caller's"
const WAITING = 'waiting shows what is due and not claimed, in order, in pages, and takes none of it'
const AGAIN =
  'waiting shows what is free again, as often as it is asked, and what is changed in it changes nothing'
const DISCARD = 'discard removes those that it names and that are not claimed, and gives their ids'
const RACE = "of 16 discards and claims at once each job is one caller's"
const LIST =
  'listTo shows all that waits for an address, whatever it waits for, in order, and takes none of it'
const REMOVE =
  'removeTo removes all that waits for an address, claimed or not, and nothing else, and says how much'
const RACE_ADDRESS = 'of 16 who remove what waits for one address at once each mail is counted once'

export const brokenMailQueues: readonly Breakage[] = [
  broken('remove removes nothing', [REMOVED, GONE, FULL], () => ({ remove: async () => undefined })),
  broken('the queue is read, then written', [ENQUEUES], (inner) => {
    let listed: readonly MailJobId[] = []
    return {
      async enqueue(job, most) {
        const before = listed
        await everybodyElse()
        listed = [...before, job.id]
        return await inner.enqueue(job, most)
      },
      async claim(at, until) {
        const job = await inner.claim(at, until)
        return job && listed.includes(job.id) ? job : undefined
      },
    }
  }),
  broken('enqueue does not wait for its write', EVERY, (inner) => ({
    async enqueue(job, most) {
      void everybodyElse().then(() => inner.enqueue(job, most))
      return 'queued'
    },
  })),
  broken('a claim never runs out', [CLAIM, FULL, CLAIMS, ENQUEUES], (inner) => ({
    claim: (at) => inner.claim(at, Infinity),
    remove: ({ id }) => inner.remove({ id, until: Infinity }),
    postpone: ({ id }, dueAt) => inner.postpone({ id, until: Infinity }, dueAt),
  })),
  broken('the last mail leaves first', [LETTER, ORDER, BEHIND, FULL], () =>
    ownQueue((one, other) => -byId(one, other)),
  ),
  broken('what is passed in is kept', [COPIES], (inner) => {
    const passedIn: MailJob[] = []
    return {
      async enqueue(job, most) {
        passedIn.push(job)
        return await inner.enqueue(job, most)
      },
      async claim(at, until) {
        const job = await inner.claim(at, until)
        return (
          job && { ...(passedIn.find(({ id }) => id === job.id) ?? passedIn[0]!), attempts: job.attempts }
        )
      },
    }
  }),
  broken('a postponed job stays with its worker', [POSTPONED], (inner) => ({
    postpone: (claim, dueAt) => inner.postpone(claim, Math.max(dueAt, claim.until)),
  })),
  broken('a claim that has run out removes what another one has', [FOLLOWED], (inner) => {
    const { untils, claim } = newest(inner)
    return { claim, remove: ({ id, until }) => inner.remove({ id, until: untils.get(id) ?? until }) }
  }),
  broken('a job that was postponed can be removed by the same claim', [SPENT], (inner) => ({
    async remove(claim) {
      await inner.remove(claim)
      await inner.remove({ ...claim, until: 0 })
    },
  })),
  broken('it is looked whose a job is, then it is postponed', [GIVEN_BACK], (inner) => {
    const { untils, claim } = newest(inner)
    return {
      claim,
      async postpone({ id, until }, dueAt) {
        if (untils.get(id) !== until) return
        await everybodyElse()
        await inner.postpone({ id, until: untils.get(id) ?? until }, dueAt)
      },
    }
  }),
  broken('it is looked for a job, then it is claimed', [CLAIMS], () => ownQueue(byId, everybodyElse)),
  broken('waiting takes what it shows', [WAITING, AGAIN], (inner) => ({
    async waiting(after, at, limit) {
      const shown = await inner.waiting(after, at, limit)
      for (const _ of shown) await inner.claim(at, at + 1)
      return shown
    },
  })),
  broken('discard looks, then removes', [DISCARD, RACE], (inner) => ({
    async discard(ids, at) {
      const free = (await inner.waiting(undefined, at, 1_000)).map(({ id }) => id)
      const found = ids.filter((id) => free.includes(id))
      await everybodyElse()
      await inner.discard(found, Infinity)
      return found
    },
  })),
  broken('listTo shows nothing', [LIST, REMOVE], () => ({ listTo: async () => [] })),
  broken('removeTo looks, then removes', [RACE_ADDRESS], (inner) => ({
    async removeTo(email) {
      const found = await inner.listTo(email)
      await everybodyElse()
      await inner.discard(
        found.map(({ id }) => id),
        Infinity,
      )
      return found.length
    },
  })),
]

/** Knows the newest claim of each job. */
function newest(inner: MailQueue) {
  const untils = new Map<MailJobId, Instant>()
  const claim: MailQueue['claim'] = async (at, until) => {
    const job = await inner.claim(at, until)
    if (job) untils.set(job.id, until)
    return job
  }
  return { untils, claim }
}

type Waiting = { readonly job: MailJob; readonly freeAt: Instant; readonly claimedUntil: Instant }

/** In the order of ids, by code unit. */
function byId(one: MailJob, other: MailJob): number {
  return one.id < other.id ? -1 : 1
}

/**
 * A queue in an order of its own, those that compare alike in the order of enqueuing. `gap` lies
 * between the look and the write of a claim.
 */
function ownQueue(
  compare: (one: MailJob, other: MailJob) => number,
  gap?: () => Promise<void>,
): Partial<MailQueue> {
  let queue: readonly Waiting[] = []
  const change = (id: MailJobId, next: (one: Waiting) => readonly Waiting[]) => {
    queue = queue.flatMap((one) => (one.job.id === id ? next(one) : [one]))
  }
  return {
    async enqueue(job, most) {
      if (queue.length >= most) return 'full'
      queue = [...queue, { job: { ...job }, freeAt: 0, claimedUntil: 0 }].sort((one, other) =>
        compare(one.job, other.job),
      )
      return 'queued'
    },
    async claim(at, until) {
      const free = queue.find(({ freeAt }) => freeAt <= at)
      if (gap) await gap()
      if (free) change(free.job.id, (one) => [{ ...one, freeAt: until, claimedUntil: until }])
      return free && { ...free.job }
    },
    remove: async ({ id, until }) => change(id, (one) => (one.claimedUntil === until ? [] : [one])),
    postpone: async ({ id, until }, dueAt) =>
      change(id, (one) => {
        if (one.claimedUntil !== until) return [one]
        const job = { ...one.job, attempts: one.job.attempts + 1 }
        return [{ job, freeAt: dueAt, claimedUntil: 0 }]
      }),
  }
}
