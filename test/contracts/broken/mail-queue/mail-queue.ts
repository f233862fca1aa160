import type { Email } from '../../../../src/domain/identity/email.js'
import type { MailJob, MailJobId } from '../../../../src/domain/mail.js'
import { type Breakage, breakageOf, COPIES, everybodyElse, StoreError } from '../breakage.js'
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
const CLAIMS = "of 16 claims at once each job is one caller's, also of a claim that ran out"
const ENQUEUES = 'of 16 jobs enqueued at once none is lost, and each can be claimed when its call is done'

const EVERY = [LETTER, ORDER, CLAIM, POSTPONED, BEHIND, REMOVED, GONE, FULL, CLAIMS, ENQUEUES, COPIES]

export const brokenMailQueues: readonly Breakage[] = [
  broken('absent members come as null', everyBut(CLAIMS, ENQUEUES, COPIES), (inner) => ({
    async claim(at, until) {
      const job = await inner.claim(at, until)
      return job && { address: null as unknown as string, ...job }
    },
  })),
  broken('emails are folded', [LETTER], (inner) => ({
    enqueue: (job, most) =>
      inner.enqueue({ ...job, email: job.email.toLowerCase().normalize() as Email }, most),
  })),
  broken('addresses are trimmed', [LETTER], (inner) => ({
    enqueue: ({ address, ...rest }, most) =>
      inner.enqueue(address === undefined ? rest : { ...rest, address: address.trim() }, most),
  })),
  broken('an empty text is taken for an absent one', [LETTER], (inner) => ({
    enqueue: ({ address, ...rest }, most) => inner.enqueue(address ? { ...rest, address } : rest, most),
  })),
  broken('every mail is of one kind', [LETTER], (inner) => ({
    enqueue: (job, most) => inner.enqueue({ ...job, kind: 'reset-password' }, most),
  })),
  broken('a job begins with no attempts', [LETTER], (inner) => ({
    enqueue: (job, most) => inner.enqueue({ ...job, attempts: 0 }, most),
  })),
  broken('who came last leaves first', [LETTER, ORDER, BEHIND, FULL], () =>
    ownQueue((one, other) => -byId(one, other)),
  ),
  broken('jobs leave in the order of enqueuing', [ORDER], () => ownQueue(() => 0)),
  broken('jobs leave in the order of a language', [ORDER], () =>
    ownQueue((one, other) => one.id.localeCompare(other.id)),
  ),
  broken('remove removes nothing', [REMOVED, GONE, FULL], () => ({ remove: async () => undefined })),
  broken('removing twice is an error', [REMOVED], (inner) => {
    const removed = new Set<MailJobId>()
    return {
      async remove(claim) {
        if (removed.has(claim.id)) throw new StoreError('not found')
        removed.add(claim.id)
        await inner.remove(claim)
      },
    }
  }),
  broken('what is claimed cannot be removed', [REMOVED, FULL], (inner) => {
    const claimed = new Set<MailJobId>()
    return {
      async claim(at, until) {
        const job = await inner.claim(at, until)
        if (job) claimed.add(job.id)
        return job
      },
      async remove(claim) {
        if (!claimed.has(claim.id)) await inner.remove(claim)
      },
    }
  }),
  broken('what is postponed cannot be removed', [REMOVED], (inner) => {
    const postponed = new Set<MailJobId>()
    return {
      async postpone(claim, dueAt) {
        postponed.add(claim.id)
        await inner.postpone(claim, dueAt)
      },
      async remove(claim) {
        if (!postponed.has(claim.id)) await inner.remove(claim)
      },
    }
  }),
  broken('postponing puts the job in its place', [GONE], (inner) => {
    const enqueued = new Map<MailJobId, MailJob>()
    const active = new Set<MailJobId>()
    return {
      async enqueue(job, most) {
        enqueued.set(job.id, job)
        active.add(job.id)
        return await inner.enqueue(job, most)
      },
      async remove(claim) {
        active.delete(claim.id)
        await inner.remove(claim)
      },
      async postpone(claim, dueAt) {
        const job = enqueued.get(claim.id)
        if (job && !active.has(claim.id)) await inner.enqueue(job, Infinity)
        await inner.postpone(claim, dueAt)
      },
    }
  }),
  broken('postponing what is gone is an error', [GONE], (inner) => {
    const removed = new Set<MailJobId>()
    return {
      async remove(claim) {
        removed.add(claim.id)
        await inner.remove(claim)
      },
      async postpone(claim, dueAt) {
        if (removed.has(claim.id)) throw new StoreError('not found')
        await inner.postpone(claim, dueAt)
      },
    }
  }),
  broken('it is never full', [FULL], (inner) => ({ enqueue: (job) => inner.enqueue(job, Infinity) })),
  broken('one more than may wait is kept', [FULL], (inner) => ({
    enqueue: (job, most) => inner.enqueue(job, most + 1),
  })),
  broken('one fewer than may wait is kept', [FULL], (inner) => ({
    enqueue: (job, most) => inner.enqueue(job, most - 1),
  })),
  broken('a full queue keeps the job and says that it does not', [FULL], (inner) => ({
    async enqueue(job, most) {
      const answer = await inner.enqueue(job, most)
      if (answer === 'full') await inner.enqueue(job, Infinity)
      return answer
    },
  })),
  broken('a job that is taken does not wait', [FULL], (inner) => {
    const claimed = new Set<MailJobId>()
    return {
      async claim(at, until) {
        const job = await inner.claim(at, until)
        if (job) claimed.add(job.id)
        return job
      },
      enqueue: (job, most) => inner.enqueue(job, most + claimed.size),
    }
  }),
  broken('what was removed takes a place', [FULL], (inner) => {
    const enqueued = new Set<MailJobId>()
    return {
      async enqueue(job, most) {
        if (enqueued.size >= most) return 'full'
        enqueued.add(job.id)
        return await inner.enqueue(job, most)
      },
    }
  }),
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
  broken('what is handed out is handed out again', [COPIES], (inner) => {
    const handedOut = new Map<MailJobId, MailJob>()
    return {
      async claim(at, until) {
        const job = await inner.claim(at, until)
        if (!job) return undefined
        const known = handedOut.get(job.id)
        if (known && known.attempts >= job.attempts) return known
        handedOut.set(job.id, job)
        return job
      },
    }
  }),
]

function everyBut(...kept: readonly string[]): readonly string[] {
  return EVERY.filter((law) => !kept.includes(law))
}
