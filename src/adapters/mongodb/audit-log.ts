import type { Filter } from 'mongodb'
import { ownActors } from '../../domain/audit.js'
import { timePrefix } from '../../domain/instant.js'
import type { AuditLog, AuditPageRequest } from '../../ports/audit-log.js'
import type { Database } from './database.js'
import { documentOf, recordOf, type AuditDocument } from './documents.js'
import { insertOwn, removeFirst, upserting } from './writes.js'

const CLIENT = ['address', 'requestId', 'countKey'] as const
const WITHOUT_CLIENT = { $unset: { address: true, requestId: true, countKey: true } } as const

/** Stores the audit log. */
export function createAuditLog({ auditRecords }: Database): AuditLog {
  return {
    async append(record) {
      const { count = 0, countKey, ...first } = documentOf(record)
      const adding = { $setOnInsert: first, $inc: { count } }
      if (countKey === undefined) await insertOwn(auditRecords, documentOf(record))
      else await upserting(() => auditRecords.updateOne({ countKey }, adding, { upsert: true }))
    },
    async page(request) {
      const direction = request.order === 'newest-first' ? -1 : 1
      const options = { sort: { _id: direction }, limit: request.limit, hint: indexOf(request) } as const
      const found = await auditRecords.find(filterOf(request), options).toArray()
      return found.map((document) => recordOf(document))
    },
    async forget(accountId) {
      const known = CLIENT.map((member) => ({ [member]: { $exists: true } }))
      const own = { accounts: accountId, actor: { $in: [...ownActors(accountId)] }, $or: known }
      const options = { hint: indexOf({ accountId, limit: 0 }) }
      return (await auditRecords.updateMany(own, WITHOUT_CLIENT, options)).modifiedCount
    },
    purge: (before, limit) =>
      removeFirst(auditRecords, upTo(timePrefix(before)), { sort: { _id: 1 }, limit }),
  }
}

/** Without a hint, the server would try out indexes on the current data and cache the chosen plan. */
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
  if (after === undefined) return startingAt(from)
  if (order === 'newest-first') return { $and: [startingAt(from), upTo(after)] }
  return after >= from ? { _id: { $gt: after } } : startingAt(from)
}

function startingAt(from: string): Filter<AuditDocument> {
  return { _id: { $gte: from as AuditDocument['_id'] } }
}

function upTo(end: string): Filter<AuditDocument> {
  return { _id: { $lt: end as AuditDocument['_id'] } }
}
