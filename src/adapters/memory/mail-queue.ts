import type { Instant } from '../../domain/instant.js'
import type { MailJob, MailJobId } from '../../domain/mail.js'
import type { MailClaim, MailQueue } from '../../ports/mail-queue.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { lowerBound } from './ascending.js'

type Waiting = { readonly job: MailJob; readonly dueAt: Instant; readonly claimedUntil: Instant }

export function memoryMailQueue(): SyncPort<MailQueue> {
  /** In the order of IDs. */
  const queue: Waiting[] = []

  /** The index of a job, or -1. */
  function placeOf(id: MailJobId): number {
    const place = lowerBound(queue, ({ job }) => job.id >= id)
    return queue[place]?.job.id === id ? place : -1
  }

  /** The index of a job if this claim still holds it, or -1. */
  function placeOfClaim({ id, until }: MailClaim): number {
    const place = placeOf(id)
    return queue[place]?.claimedUntil === until ? place : -1
  }

  return {
    enqueue(job, most) {
      if (queue.length >= most) return 'full'
      const place = lowerBound(queue, (one) => one.job.id > job.id)
      queue.splice(place, 0, { job, dueAt: 0, claimedUntil: 0 })
      return 'queued'
    },
    claim(at, until) {
      const place = queue.findIndex((one) => isFree(one, at))
      const free = queue[place]
      if (!free) return undefined
      queue[place] = { ...free, claimedUntil: until }
      return free.job
    },
    waiting(after, at, limit) {
      const start = after === undefined ? 0 : lowerBound(queue, ({ job }) => job.id > after)
      const found: MailJob[] = []
      for (let place = start; place < queue.length && found.length < limit; place += 1) {
        const one = queue[place]
        if (one && isFree(one, at)) found.push(one.job)
      }
      return found
    },
    discard(ids, at) {
      return ids.filter((id) => {
        const place = placeOf(id)
        const found = queue[place]
        if (!found || at < found.claimedUntil) return false
        queue.splice(place, 1)
        return true
      })
    },
    listTo: (email) => queue.filter(({ job }) => job.email === email).map(({ job }) => job),
    removeTo(email) {
      const others = queue.filter(({ job }) => job.email !== email)
      return queue.splice(0, queue.length, ...others).length - others.length
    },
    remove(claim) {
      const place = placeOfClaim(claim)
      if (place !== -1) queue.splice(place, 1)
    },
    postpone(claim, dueAt) {
      const place = placeOfClaim(claim)
      const tried = queue[place]
      if (!tried) return
      const job = { ...tried.job, attempts: tried.job.attempts + 1 }
      queue[place] = { job, dueAt, claimedUntil: 0 }
    },
  }
}

function isFree({ dueAt, claimedUntil }: Waiting, at: Instant): boolean {
  return dueAt <= at && claimedUntil <= at
}
