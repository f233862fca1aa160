import type { Instant } from '../../domain/instant.js'
import type { MailJob, MailJobId } from '../../domain/mail.js'
import type { MailClaim, MailQueue } from '../../ports/mail-queue.js'
import type { Database } from './database.js'
import { documentOfMailJob, mailJobOf } from './documents.js'
import { insertOwn } from './writes.js'

/** Mails that have to leave, a document each. */
export function createMailQueue({ mailJobs, run }: Database): MailQueue {
  /**
   * The count is the collection's own, which costs nothing: a bound against a flood, not a promise to
   * the unit. Callers at the same moment may go beyond it by one each.
   */
  async function enqueue(job: MailJob, most: number): Promise<'queued' | 'full'> {
    if ((await mailJobs.estimatedDocumentCount()) >= most) return 'full'
    await insertOwn(mailJobs, documentOfMailJob(job))
    return 'queued'
  }

  /** Read in the order of ids until one is free; what is before it waits for its time or its worker. */
  async function claim(at: Instant, until: Instant): Promise<MailJob | undefined> {
    const free = { dueAt: { $lte: at }, claimedUntil: { $lte: at } }
    const found = await mailJobs.findOneAndUpdate(
      free,
      { $set: { claimedUntil: until } },
      { sort: { _id: 1 } },
    )
    return found ? mailJobOf(found) : undefined
  }

  async function waiting(after: MailJobId | undefined, at: Instant, limit: number) {
    const free = { dueAt: { $lte: at }, claimedUntil: { $lte: at } }
    const beyond = after === undefined ? {} : { _id: { $gt: after } }
    return (await mailJobs.find({ ...beyond, ...free }, { sort: { _id: 1 }, limit }).toArray()).map(mailJobOf)
  }

  /** One by one, at the same time: how many of several went would not tell which. */
  async function discard(ids: readonly MailJobId[], at: Instant): Promise<readonly MailJobId[]> {
    const gone = await Promise.all(ids.map((_id) => mailJobs.deleteOne({ _id, claimedUntil: { $lte: at } })))
    return ids.filter((_, index) => gone[index]?.deletedCount === 1)
  }

  async function postpone({ id, until }: MailClaim, dueAt: Instant): Promise<void> {
    const claimed = { _id: id, claimedUntil: until }
    await mailJobs.updateOne(claimed, { $set: { dueAt, claimedUntil: 0 }, $inc: { attempts: 1 } })
  }

  return {
    enqueue: (job, most) => run(() => enqueue(job, most)),
    claim: (at, until) => run(() => claim(at, until)),
    waiting: (after, at, limit) => run(() => waiting(after, at, limit)),
    discard: (ids, at) => run(() => discard(ids, at)),
    listTo: (email) =>
      run(async () => (await mailJobs.find({ email }, { sort: { _id: 1 } }).toArray()).map(mailJobOf)),
    removeTo: (email) => run(async () => (await mailJobs.deleteMany({ email })).deletedCount),
    remove: ({ id, until }) =>
      run(async () => {
        await mailJobs.deleteOne({ _id: id, claimedUntil: until })
      }),
    postpone: (claim, dueAt) => run(() => postpone(claim, dueAt)),
  }
}
