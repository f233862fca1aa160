import { type AuditRecord, withoutClient } from '../../../src/domain/audit.js'
import type { MailJobId } from '../../../src/domain/mail.js'
import { also, type Bug, bugsOf, first, given, gives, only } from './bug.js'

const attemptBug = bugsOf('attempts')
const mailBug = bugsOf('mailQueue')
const auditBug = bugsOf('audit')

export const bugsOfAttempts: readonly Bug[] = [
  attemptBug('a window never ends', /the window|its full limit for|many names have|expired counts/, () => ({
    take: given((counts) => [counts, 0]),
  })),
  attemptBug('names are compared without regard to case', /names are compared/, () => ({
    take: given((counts, at) => [
      counts.map(({ name, limit }) => ({ name: name.trim().toLowerCase(), limit })),
      at,
    ]),
  })),
  attemptBug(
    'each name is counted separately, even if the attempt is refused',
    /an attempt|a refused attempt/,
    () => ({
      take: (call) => async (asked, at) => {
        const outcomes = []
        for (const count of asked) outcomes.push(await call([count], at))
        const counts = outcomes.flatMap((one) => (one.kind === 'taken' ? one.attempt.counts : []))
        return outcomes.find(({ kind }) => kind === 'refused') ?? { kind: 'taken', attempt: { counts } }
      },
    }),
  ),
  attemptBug('nothing is cleared', /clear removes|clear without/, () => ({ clear: only(undefined) })),
  attemptBug('nothing is refunded', /a refund restores|a refunded/, () => ({ refund: only(undefined) })),
]

export const bugsOfMailQueue: readonly Bug[] = [
  mailBug('remove deletes nothing', /a removed job|enqueue returns|discard removes/, () => ({
    remove: only(undefined),
  })),
  mailBug('a claim never expires', /no other caller|expired claim can|waiting lists jobs/, () => ({
    claim: given((at) => [at, Infinity]),
    remove: given((claim) => [{ ...claim, until: Infinity }]),
    postpone: given((claim, dueAt) => [{ ...claim, until: Infinity }, dueAt]),
  })),
  mailBug('a postponed job can be claimed again immediately', /when it is due|a postponed job/, () => ({
    postpone: given((claim) => [claim, 0]),
  })),
  mailBug('a job that was postponed can be removed by the same claim', /a claim has/, ({ mailQueue }) => ({
    remove: also((_, claim) => mailQueue.remove({ ...claim, until: 0 })),
  })),
  mailBug('jobs are claimed in the order in which they were enqueued', /claimed in/, () => {
    const ids: MailJobId[] = []
    return {
      enqueue: given((job, most) => {
        ids.push(job.id)
        return [{ ...job, id: String(1_000 + ids.length) as never }, most]
      }),
      claim: gives((job) => job && { ...job, id: ids[Number(job.id) - 1_001] ?? job.id }),
    }
  }),
  mailBug('removeTo deletes nothing', /claimed or/, () => ({ removeTo: only(1) })),
]

export const bugsOfAudit: readonly Bug[] = [
  auditBug('pages contain records of all accounts', /in both orders|a record with the key/, () => ({
    page: given(({ accountId: _, ...request }) => [request]),
  })),
  auditBug('pages contain records of all events', /an event/, () => ({
    page: given(({ event: _, ...request }) => [request]),
  })),
  auditBug('pages contain records of all times', /exactly at the/, () => ({
    page: given(({ since: _, ...request }) => [request]),
  })),
  auditBug(
    'purge also removes records of the given time',
    /to its limit,|a page continues after a purged/,
    () => ({
      purge: given((before, limit) => [before + 1, limit]),
    }),
  ),
  auditBug('forget does nothing', /forget removes|forget handles|of a forgotten/, () => ({
    forget: only(0),
  })),
  auditBug('forget removes client data from all records', /forget leaves records/, () => {
    const records = new Map<string, AuditRecord>()
    return {
      append: first((record) => records.set(record.id, record)),
      page: gives(() => [...records.values()]),
      forget: first(() => {
        for (const record of records.values()) records.set(record.id, withoutClient(record))
      }),
    }
  }),
]
