import type { Instant } from '../../../../src/domain/instant.js'
import type { MailJobId } from '../../../../src/domain/mail.js'
import type { MailClaim, MailQueue } from '../../../../src/ports/mail-queue.js'
import { type Breakage, breakageOf, COPIES, everybodyElse } from '../breakage.js'
import { byId, ownQueue } from './own-mail-queue.js'

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
const FOLLOWED = 'a claim that another one has followed neither postpones the job nor removes it'
const SPENT = 'a claim that postponed its job does nothing more to it'
const GIVEN_BACK =
  "of a claim that has run out, which postpones the job, and 8 new ones at once the job is one caller's"
const CLAIMS = "of 16 claims at once each job is one caller's, also of a claim that ran out"
const ENQUEUES = 'of 16 jobs enqueued at once none is lost, and each can be claimed when its call is done'

export const brokenMailClaims: readonly Breakage[] = [
  broken(
    'a claim is forgotten',
    [LETTER, ORDER, CLAIM, BEHIND, REMOVED, GONE, FULL, CLAIMS, ENQUEUES],
    (inner) => claimedUntil(inner, (at) => at),
  ),
  broken('a claim never runs out', [CLAIM, FULL, CLAIMS, ENQUEUES, COPIES], (inner) =>
    claimedUntil(inner, () => Infinity),
  ),
  broken('a claim runs out a moment early', [CLAIM], (inner) => claimedUntil(inner, (_, until) => until - 1)),
  broken('a claim holds a moment too long', [CLAIM, FULL, CLAIMS, ENQUEUES, COPIES], (inner) =>
    claimedUntil(inner, (_, until) => until + 1),
  ),
  broken('a job that is taken holds up those behind it', [LETTER, ORDER, BEHIND, FULL, ENQUEUES], blocking),
  broken('a postponed job stays with its worker', [POSTPONED], (inner) => ({
    postpone: (claim, dueAt) => inner.postpone(claim, Math.max(dueAt, claim.until)),
  })),
  broken('a postponed job is due at once', [POSTPONED, BEHIND], (inner) => ({
    postpone: (claim) => inner.postpone(claim, 0),
  })),
  broken('a postponed job is due a moment late', [POSTPONED, BEHIND], (inner) => ({
    postpone: (claim, dueAt) => inner.postpone(claim, dueAt + 1),
  })),
  broken('a postponed job is due a moment early', [POSTPONED], (inner) => ({
    postpone: (claim, dueAt) => inner.postpone(claim, dueAt - 1),
  })),
  broken('attempts are not counted', [POSTPONED], (inner) => ({
    async claim(at, until) {
      const job = await inner.claim(at, until)
      return job && { ...job, attempts: Math.min(job.attempts, 1) }
    },
  })),
  broken('a claim counts as an attempt', [LETTER, CLAIM, POSTPONED, FULL, COPIES], (inner) => {
    const tried = new Map<MailJobId, number>()
    return {
      async claim(at, until) {
        const job = await inner.claim(at, until)
        if (!job) return undefined
        tried.set(job.id, (tried.get(job.id) ?? 0) + 1)
        return { ...job, attempts: (tried.get(job.id) ?? 1) - 1 }
      },
    }
  }),
  broken('a postponed job goes to the end', [BEHIND], (inner) => {
    const postponed: { readonly id: MailJobId; readonly dueAt: Instant }[] = []
    return {
      async postpone(claim, dueAt) {
        postponed.push({ id: claim.id, dueAt })
        await inner.postpone(claim, dueAt)
      },
      async claim(at, until) {
        const job = await inner.claim(at, until)
        if (!job || !postponed.some(({ id }) => id === job.id)) return job
        const other = await inner.claim(at, until)
        return other ?? job
      },
    }
  }),
  broken('a claim that has run out postpones what another one has', [FOLLOWED], (inner) => {
    const { untils, claim } = newest(inner)
    return {
      claim,
      postpone: ({ id, until }, dueAt) => inner.postpone({ id, until: untils.get(id) ?? until }, dueAt),
    }
  }),
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
  broken('of claims at once only the first gets a job', [CLAIMS, ENQUEUES], (inner) => {
    let busy = false
    return {
      async claim(at, until) {
        if (busy) return undefined
        busy = true
        await everybodyElse()
        busy = false
        return await inner.claim(at, until)
      },
    }
  }),
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

/** Claims until another moment than is asked for, of which its callers know nothing. */
function claimedUntil(inner: MailQueue, other: (at: Instant, until: Instant) => Instant): Partial<MailQueue> {
  const untils = new Map<string, Instant>()
  const known = ({ id, until }: MailClaim) => ({ id, until: untils.get(`${id} ${until}`) ?? until })
  return {
    async claim(at, until) {
      const job = await inner.claim(at, other(at, until))
      if (job) untils.set(`${job.id} ${until}`, other(at, until))
      return job
    },
    remove: (claim) => inner.remove(known(claim)),
    postpone: (claim, dueAt) => inner.postpone(known(claim), dueAt),
  }
}

/** While the first is claimed or waits no caller gets another one. */
function blocking(inner: MailQueue): Partial<MailQueue> {
  let taken: { readonly id: MailJobId; readonly until: Instant } | undefined
  return {
    async claim(at, until) {
      if (taken && at < taken.until) return undefined
      const job = await inner.claim(at, until)
      taken = job && { id: job.id, until }
      return job
    },
    async remove(claim) {
      if (taken?.id === claim.id) taken = undefined
      await inner.remove(claim)
    },
    async postpone(claim, dueAt) {
      if (taken?.id === claim.id) taken = undefined
      await inner.postpone(claim, dueAt)
    },
  }
}
