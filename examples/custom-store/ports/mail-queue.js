import { compare, takeOut } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').MailQueue>}
 */
export function mailQueueOf({ mails }) {
  const isFree = (/** @type {typeof mails[number]} */ { dueAt, claimedUntil }, /** @type {number} */ at) =>
    dueAt <= at && claimedUntil <= at

  return {
    enqueue(job, most) {
      if (mails.length >= most) return 'full'
      mails.push({ job, dueAt: 0, claimedUntil: 0 })
      mails.sort((one, other) => compare(one.job.id, other.job.id))
      return 'queued'
    },
    claim(at, until) {
      const free = mails.find((one) => isFree(one, at))
      if (free) free.claimedUntil = until
      return free?.job
    },
    waiting: (after = /** @type {any} */ (''), at, limit) =>
      mails
        .filter((one) => one.job.id > after && isFree(one, at))
        .slice(0, limit)
        .map(({ job }) => job),
    discard: (ids, at) =>
      ids.filter((id) => takeOut(mails, (one) => one.job.id === id && one.claimedUntil <= at, 1) === 1),
    listTo: (email) => mails.filter(({ job }) => job.email === email).map(({ job }) => job),
    removeTo: (email) => takeOut(mails, ({ job }) => job.email === email, Infinity),
    remove: ({ id, until }) =>
      void takeOut(mails, ({ job, claimedUntil }) => job.id === id && claimedUntil === until, 1),
    postpone({ id, until }, dueAt) {
      const tried = mails.find(({ job, claimedUntil }) => job.id === id && claimedUntil === until)
      if (!tried) return
      tried.job = { ...tried.job, attempts: tried.job.attempts + 1 }
      tried.dueAt = dueAt
      tried.claimedUntil = 0
    },
  }
}
