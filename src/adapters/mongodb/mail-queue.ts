import type { Instant } from '../../domain/instant.js'
import type { MailQueue } from '../../ports/mail.js'
import type { Database } from './database.js'
import { documentOfMailJob, mailJobOf } from './documents.js'
import { insertOwn } from './writes.js'

/** Stores the mail queue. */
export function createMailQueue({ mailJobs }: Database): MailQueue {
  return {
    /** Uses the document count in the metadata, which is cheap to read. Each concurrent caller may exceed the capacity by one mail job. */
    async enqueue(job, capacity) {
      if ((await mailJobs.estimatedDocumentCount()) >= capacity) return 'full'
      await insertOwn(mailJobs, documentOfMailJob(job))
      return 'queued'
    },
    async claim(at, until) {
      const claimed = { $set: { claimedUntil: until } }
      const found = await mailJobs.findOneAndUpdate(claimableAt(at), claimed, { sort: { _id: 1 } })
      return found ? mailJobOf(found) : undefined
    },
    async waiting(after, at, limit) {
      const position = after === undefined ? {} : { _id: { $gt: after } }
      const found = mailJobs.find({ ...position, ...claimableAt(at) }, { sort: { _id: 1 }, limit })
      return (await found.toArray()).map(mailJobOf)
    },
    async discard(ids, at) {
      const removals = ids.map((_id) => mailJobs.deleteOne({ _id, claimedUntil: { $lte: at } }))
      const results = await Promise.all(removals)
      return ids.filter((_, index) => results[index]?.deletedCount === 1)
    },
    listTo: async (email) => (await mailJobs.find({ email }, { sort: { _id: 1 } }).toArray()).map(mailJobOf),
    removeTo: async (email) => (await mailJobs.deleteMany({ email })).deletedCount,
    async remove({ id, until }) {
      await mailJobs.deleteOne({ _id: id, claimedUntil: until })
    },
    async postpone({ id, until }, dueAt) {
      const change = { $set: { dueAt, claimedUntil: 0 }, $inc: { attempts: 1 } }
      await mailJobs.updateOne({ _id: id, claimedUntil: until }, change)
    },
  }
}

function claimableAt(at: Instant) {
  return { dueAt: { $lte: at }, claimedUntil: { $lte: at } }
}
