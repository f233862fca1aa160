import { isOfOwnClient, withoutClient, type AuditRecord, type AuditRecordId } from '../../domain/audit.js'
import { timePrefix } from '../../domain/instant.js'
import type { AuditLog, AuditPageRequest } from '../../ports/audit-log.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { lowerBound } from './collections.js'

/** The audit log in memory. */
export function memoryAuditLog(): SyncPort<AuditLog> {
  /** Ordered by ID. */
  const records: AuditRecord[] = []
  const idsByCountKey = new Map<string, AuditRecordId>()

  function startOf({ since, after, order }: AuditPageRequest): number {
    if (order === 'newest-first')
      return (after === undefined ? records.length : lowerBound(records, ({ id }) => id >= after)) - 1
    const from = since === undefined ? '' : timePrefix(since)
    return lowerBound(records, ({ id }) => id >= from && (after === undefined || id > after))
  }

  return {
    append(record) {
      const { count = 0, countKey } = record
      const known = countKey === undefined ? undefined : idsByCountKey.get(countKey)
      const first = known === undefined ? -1 : lowerBound(records, ({ id }) => id >= known)
      const found = records[first]
      if (found) {
        records[first] = { ...found, count: (found.count ?? 0) + count }
        return
      }
      if (countKey !== undefined) idsByCountKey.set(countKey, record.id)
      const index = lowerBound(records, ({ id }) => id > record.id)
      records.splice(index, 0, record)
    },
    page(request) {
      const page: AuditRecord[] = []
      const step = request.order === 'newest-first' ? -1 : 1
      for (let index = startOf(request); page.length < request.limit; index += step) {
        const record = records[index]
        if (record === undefined || (request.since !== undefined && record.id < timePrefix(request.since)))
          break
        if (matches(record, request)) page.push(record)
      }
      return page
    },
    forget(accountId) {
      let changed = 0
      for (const [index, record] of records.entries()) {
        if (!hasClientData(record) || !isOfOwnClient(record, accountId)) continue
        records[index] = withoutClient(record)
        if (record.countKey !== undefined) idsByCountKey.delete(record.countKey)
        changed += 1
      }
      return changed
    },
    purge(before, limit) {
      const from = timePrefix(before)
      const old = lowerBound(records, ({ id }) => id >= from)
      const removed = records.splice(0, Math.min(old, limit))
      for (const { countKey } of removed) if (countKey !== undefined) idsByCountKey.delete(countKey)
      return removed.length
    },
  }
}

function matches({ accounts, event }: AuditRecord, request: AuditPageRequest): boolean {
  if (request.event !== undefined && request.event !== event) return false
  return request.accountId === undefined || accounts.includes(request.accountId)
}

function hasClientData({ address, requestId, countKey }: AuditRecord): boolean {
  return address !== undefined || requestId !== undefined || countKey !== undefined
}
