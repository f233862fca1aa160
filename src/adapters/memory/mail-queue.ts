import type { Instant } from '../../domain/instant.js'
import type { MailJob, MailJobId } from '../../domain/mail.js'
import type { MailClaim, MailQueue } from '../../ports/mail.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { lowerBound } from './collections.js'

type QueuedJob = { readonly job: MailJob; readonly dueAt: Instant; readonly claimedUntil: Instant }

/** The mail queue in memory. */
export function memoryMailQueue(): SyncPort<MailQueue> {
  /** Ordered by ID. */
  const queue: QueuedJob[] = []

  function indexOf(id: MailJobId): number {
    const index = lowerBound(queue, ({ job }) => job.id >= id)
    return queue[index]?.job.id === id ? index : -1
  }

  /** Returns the index of the claimed job, or -1 if the claim is no longer valid. */
  function indexOfClaim({ id, until }: MailClaim): number {
    const index = indexOf(id)
    return queue[index]?.claimedUntil === until ? index : -1
  }

  return {
    enqueue(job, capacity) {
      if (queue.length >= capacity) return 'full'
      const index = lowerBound(queue, (one) => one.job.id > job.id)
      queue.splice(index, 0, { job, dueAt: 0, claimedUntil: 0 })
      return 'queued'
    },
    claim(at, until) {
      const index = queue.findIndex((one) => isFree(one, at))
      const free = queue[index]
      if (!free) return undefined
      queue[index] = { ...free, claimedUntil: until }
      return free.job
    },
    waiting(after, at, limit) {
      const start = after === undefined ? 0 : lowerBound(queue, ({ job }) => job.id > after)
      const found: MailJob[] = []
      for (let index = start; index < queue.length && found.length < limit; index += 1) {
        const one = queue[index]
        if (one && isFree(one, at)) found.push(one.job)
      }
      return found
    },
    discard(ids, at) {
      return ids.filter((id) => {
        const index = indexOf(id)
        const found = queue[index]
        if (!found || at < found.claimedUntil) return false
        queue.splice(index, 1)
        return true
      })
    },
    listTo: (email) => queue.filter(({ job }) => job.email === email).map(({ job }) => job),
    removeTo(email) {
      const others = queue.filter(({ job }) => job.email !== email)
      return queue.splice(0, queue.length, ...others).length - others.length
    },
    remove(claim) {
      const index = indexOfClaim(claim)
      if (index !== -1) queue.splice(index, 1)
    },
    postpone(claim, dueAt) {
      const index = indexOfClaim(claim)
      const tried = queue[index]
      if (!tried) return
      const job = { ...tried.job, attempts: tried.job.attempts + 1 }
      queue[index] = { job, dueAt, claimedUntil: 0 }
    },
  }
}

function isFree({ dueAt, claimedUntil }: QueuedJob, at: Instant): boolean {
  return dueAt <= at && claimedUntil <= at
}
