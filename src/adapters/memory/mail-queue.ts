import type { Instant } from '../../domain/instant.js'
import type { MailJob, MailJobId } from '../../domain/mail.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import { firstIndex } from './first-index.js'
import type { Steps } from './steps.js'

type Waiting = { readonly job: MailJob; readonly dueAt: Instant; readonly claimedUntil: Instant }

export function memoryMailQueue(): Steps<MailQueue> {
  /** In the order of their ids. */
  const queue: Waiting[] = []

  /** Where the job lies, or -1 where it is gone. */
  function placeOf(id: MailJobId): number {
    const place = firstIndex(queue, ({ job }) => job.id >= id)
    return queue[place]?.job.id === id ? place : -1
  }

  return {
    enqueue(job, most) {
      if (queue.length >= most) return 'full'
      const place = firstIndex(queue, (one) => one.job.id > job.id)
      queue.splice(place, 0, { job: { ...job }, dueAt: 0, claimedUntil: 0 })
      return 'queued'
    },
    claim(at, until) {
      const place = queue.findIndex(({ dueAt, claimedUntil }) => dueAt <= at && claimedUntil <= at)
      const free = queue[place]
      if (!free) return undefined
      queue[place] = { ...free, claimedUntil: until }
      return { ...free.job }
    },
    remove(id) {
      const place = placeOf(id)
      if (place !== -1) queue.splice(place, 1)
    },
    postpone(id, dueAt) {
      const place = placeOf(id)
      const tried = queue[place]
      if (!tried) return
      const job = { ...tried.job, attempts: tried.job.attempts + 1 }
      queue[place] = { job, dueAt, claimedUntil: 0 }
    },
  }
}
