import type { Instant } from '../../domain/instant.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { Database } from './database.js'
import { documentOfMailJob, mailJobOf } from './documents.js'
import { insertOwn } from './writes.js'

export function createMailQueue({ mailJobs }: Database): MailQueue {
  return {
    /** The count of the collection costs nothing. Each concurrent caller may exceed the bound by one. */
    async enqueue(job, most) {
      if ((await mailJobs.estimatedDocumentCount()) >= most) return 'full'
      await insertOwn(mailJobs, documentOfMailJob(job))
      return 'queued'
    },
    async claim(at, until) {
      const claimed = { $set: { claimedUntil: until } }
      const found = await mailJobs.findOneAndUpdate(freeAt(at), claimed, { sort: { _id: 1 } })
      return found ? mailJobOf(found) : undefined
    },
    async waiting(after, at, limit) {
      const beyond = after === undefined ? {} : { _id: { $gt: after } }
      const found = mailJobs.find({ ...beyond, ...freeAt(at) }, { sort: { _id: 1 }, limit })
      return (await found.toArray()).map(mailJobOf)
    },
    /** Removes each mail separately, because the count of a joint removal would not say which mails were removed. */
    async discard(ids, at) {
      const removals = ids.map((_id) => mailJobs.deleteOne({ _id, claimedUntil: { $lte: at } }))
      const gone = await Promise.all(removals)
      return ids.filter((_, index) => gone[index]?.deletedCount === 1)
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

function freeAt(at: Instant) {
  return { dueAt: { $lte: at }, claimedUntil: { $lte: at } }
}
