import type { Instant } from '../../../../src/domain/instant.js'
import type { MailJobId } from '../../../../src/domain/mail.js'
import type { MailQueue } from '../../../../src/ports/mail-queue.js'
import { type Breakage, breakageOf, COPIES, everybodyElse } from '../breakage.js'
import { byId, ownQueue } from './own-mail-queue.js'

const broken = breakageOf('mailQueue')
const LETTER = 'a job is handed out to the letter, and what is absent stays absent'
const ORDER = 'jobs are claimed in the order of their ids, in whatever order they were enqueued'
const CLAIM = "a claimed job is no other caller's until its claim runs out, and then it is given again"
const POSTPONED = 'a postponed job is not claimed, is not given before it is due, and was tried once more'
const BEHIND = 'a job that waits for its time holds up none behind it, and is first again when it is due'
const REMOVED = 'a removed job is never given again, claimed, postponed or neither, and twice is harmless'
const GONE = 'postponing a job that is gone brings nothing back'
const FULL =
  'no more are kept than may wait, of callers one after another, and there is room when one has gone'
const CLAIMS = "of 16 claims at once each job is one caller's, also of a claim that ran out"
const ENQUEUES = 'of 16 jobs enqueued at once none is lost, and each can be claimed when its call is done'

export const brokenMailClaims: readonly Breakage[] = [
  broken(
    'a claim is forgotten',
    [LETTER, ORDER, CLAIM, BEHIND, REMOVED, GONE, FULL, CLAIMS, ENQUEUES],
    (inner) => ({
      claim: (at) => inner.claim(at, at),
    }),
  ),
  broken('a claim never runs out', [CLAIM, FULL, CLAIMS, ENQUEUES, COPIES], (inner) => ({
    claim: (at) => inner.claim(at, Infinity),
  })),
  broken('a claim runs out a moment early', [CLAIM], (inner) => ({
    claim: (at, until) => inner.claim(at, until - 1),
  })),
  broken('a claim holds a moment too long', [CLAIM, FULL, CLAIMS, ENQUEUES, COPIES], (inner) => ({
    claim: (at, until) => inner.claim(at, until + 1),
  })),
  broken('a job that is taken holds up those behind it', [LETTER, ORDER, BEHIND, FULL, ENQUEUES], blocking),
  broken('a postponed job stays with its worker', [POSTPONED], (inner) => {
    const claims = new Map<MailJobId, Instant>()
    return {
      async claim(at, until) {
        const job = await inner.claim(at, until)
        if (job) claims.set(job.id, until)
        return job
      },
      postpone: (id, dueAt) => inner.postpone(id, Math.max(dueAt, claims.get(id) ?? 0)),
    }
  }),
  broken('a postponed job is due at once', [POSTPONED, BEHIND], (inner) => ({
    postpone: (id) => inner.postpone(id, 0),
  })),
  broken('a postponed job is due a moment late', [POSTPONED, BEHIND], (inner) => ({
    postpone: (id, dueAt) => inner.postpone(id, dueAt + 1),
  })),
  broken('a postponed job is due a moment early', [POSTPONED], (inner) => ({
    postpone: (id, dueAt) => inner.postpone(id, dueAt - 1),
  })),
  broken('attempts are not counted', [POSTPONED], (inner) => ({
    async claim(at, until) {
      const job = await inner.claim(at, until)
      return job && { ...job, attempts: Math.min(job.attempts, 1) }
    },
  })),
  broken('a claim counts as an attempt', [LETTER, CLAIM, POSTPONED, BEHIND, FULL, COPIES], (inner) => {
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
      async postpone(id, dueAt) {
        postponed.push({ id, dueAt })
        await inner.postpone(id, dueAt)
      },
      async claim(at, until) {
        const job = await inner.claim(at, until)
        if (!job || !postponed.some(({ id }) => id === job.id)) return job
        const other = await inner.claim(at, until)
        return other ?? job
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
    async remove(id) {
      if (taken?.id === id) taken = undefined
      await inner.remove(id)
    },
    async postpone(id, dueAt) {
      if (taken?.id === id) taken = undefined
      await inner.postpone(id, dueAt)
    },
  }
}
