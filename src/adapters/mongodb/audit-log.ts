import type { Filter } from 'mongodb'
import { ownActors, type AuditRecord } from '../../domain/audit.js'
import { timePrefix } from '../../domain/time-ordered-id.js'
import type { AuditLog, AuditPageRequest } from '../../ports/audit-log.js'
import type { Database } from './database.js'
import { insertOwn, removeFirst, upserting } from './writes.js'
import { auditRecordOf, documentOfAuditRecord, type AuditDocument } from './documents.js'

/** What tells of the client of a record. */
const CLIENT = ['address', 'requestId', 'countKey'] as const
const WITHOUT_CLIENT = { $unset: { address: true, requestId: true, countKey: true } } as const

/** The audit log, a document each. */
export function createAuditLog({ auditRecords, run }: Database): AuditLog {
  async function page(request: AuditPageRequest): Promise<readonly AuditRecord[]> {
    const direction = request.order === 'newest-first' ? -1 : 1
    const options = { sort: { _id: direction }, limit: request.limit, hint: indexOf(request) } as const
    return (await auditRecords.find(filterOf(request), options).toArray()).map(auditRecordOf)
  }

  async function count(record: AuditRecord, countKey: string): Promise<void> {
    const { count: added = 0, countKey: _, ...first } = documentOfAuditRecord(record)
    const adding = { $setOnInsert: first, $inc: { count: added } }
    await upserting(() => auditRecords.updateOne({ countKey }, adding, { upsert: true }))
  }

  return {
    append: (record) =>
      run(async () => {
        if (record.countKey === undefined) await insertOwn(auditRecords, documentOfAuditRecord(record))
        else await count(record, record.countKey)
      }),
    page: (request) => run(() => page(request)),
    forget: (accountId) =>
      run(async () => {
        const known = CLIENT.map((member) => ({ [member]: { $exists: true } }))
        const own = { accounts: accountId, actor: { $in: [...ownActors(accountId)] }, $or: known }
        const options = { hint: indexOf({ accountId, limit: 0 }) }
        return (await auditRecords.updateMany(own, WITHOUT_CLIENT, options)).modifiedCount
      }),
    purge: (before, limit) =>
      run(() => removeFirst(auditRecords, upTo(timePrefix(before)), { sort: { _id: 1 }, limit })),
  }
}

/**
 * The server chooses by a trial on the data of the day and keeps to its choice: one account's page
 * would then read the records of all.
 */
function indexOf({ accountId, event }: AuditPageRequest): Readonly<Record<string, 1>> {
  if (accountId !== undefined) return { accounts: 1, _id: 1 }
  return event === undefined ? { _id: 1 } : { event: 1, _id: 1 }
}

function filterOf({ accountId, event, ...position }: AuditPageRequest): Filter<AuditDocument> {
  return {
    ...(accountId !== undefined && { accounts: accountId }),
    ...(event !== undefined && { event }),
    ...rangeOf(position),
  }
}

function rangeOf({ since, after, order }: Omit<AuditPageRequest, 'limit'>): Filter<AuditDocument> {
  const from = since === undefined ? '' : timePrefix(since)
  if (after === undefined) return beginningWith(from)
  if (order === 'newest-first') return { $and: [beginningWith(from), upTo(after)] }
  return after >= from ? { _id: { $gt: after } } : beginningWith(from)
}

// An id is a text of its own brand, and the beginning of one is none.
function beginningWith(from: string): Filter<AuditDocument> {
  return { _id: { $gte: from as AuditDocument['_id'] } }
}

function upTo(end: string): Filter<AuditDocument> {
  return { _id: { $lt: end as AuditDocument['_id'] } }
}
