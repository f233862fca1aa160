import type { Instant } from '../../../../src/domain/instant.js'
import type { MailJob, MailJobId } from '../../../../src/domain/mail.js'
import type { MailQueue } from '../../../../src/ports/mail-queue.js'

type Waiting = { readonly job: MailJob; readonly freeAt: Instant; readonly claimedUntil: Instant }

/** In the order of ids, by code unit. */
export function byId(one: MailJob, other: MailJob): number {
  return one.id < other.id ? -1 : 1
}

/**
 * A queue in an order of its own, those that compare alike in the order of enqueuing. `gap` lies
 * between the look and the write of a claim.
 */
export function ownQueue(
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
