import { compare, takeOut } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').Steps<import('kennel-id/ports').MailQueue>}
 */
export function mailQueueOf({ mails }) {
  return {
    enqueue(job, most) {
      if (mails.length >= most) return 'full'
      mails.push({ job, dueAt: 0, claimedUntil: 0 })
      mails.sort((one, other) => compare(one.job.id, other.job.id))
      return 'queued'
    },
    claim(at, until) {
      const free = mails.find(({ dueAt, claimedUntil }) => dueAt <= at && claimedUntil <= at)
      if (free) free.claimedUntil = until
      return free?.job
    },
    remove: (id) => void takeOut(mails, ({ job }) => job.id === id, 1),
    postpone(id, dueAt) {
      const tried = mails.find(({ job }) => job.id === id)
      if (!tried) return
      tried.job = { ...tried.job, attempts: tried.job.attempts + 1 }
      tried.dueAt = dueAt
      tried.claimedUntil = 0
    },
  }
}
