import { isOfOwnClient, withoutClient } from 'kennel-id/ports'
import { compare, inOrder, takeOut } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').AuditLog>}
 */
export function auditOf({ audit }) {
  return {
    append(record) {
      const { countKey } = record
      const place = countKey === undefined ? -1 : audit.findIndex((one) => one.countKey === countKey)
      const found = audit[place]
      if (found) {
        // A repeated event only increases the count of the stored record.
        audit[place] = { ...found, count: (found.count ?? 0) + (record.count ?? 0) }
        return
      }
      audit.push(record)
      // IDs are ordered by time, even if a record arrives late.
      audit.sort((one, other) => compare(one.id, other.id))
    },
    page: ({ accountId, event, since, after, limit, order }) =>
      inOrder(audit, order)
        .filter((one) => accountId === undefined || one.accounts.includes(accountId))
        .filter((one) => event === undefined || one.event === event)
        .filter((one) => since === undefined || one.at >= since)
        .filter(({ id }) => after === undefined || (order === 'newest-first' ? id < after : id > after))
        .slice(0, limit),
    forget(accountId) {
      const own = audit.filter((one) => isOfOwnClient(one, accountId)).filter(tellsOfClient)
      for (const record of own) audit[audit.indexOf(record)] = withoutClient(record)
      return own.length
    },
    purge: (before, limit) => takeOut(audit, ({ at }) => at < before, limit),
  }
}

/** @param {import('kennel-id').AuditRecord} record */
function tellsOfClient({ address, requestId, countKey }) {
  return address !== undefined || requestId !== undefined || countKey !== undefined
}
