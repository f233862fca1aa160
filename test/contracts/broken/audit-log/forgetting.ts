import type { AuditRecord, AuditRecordId } from '../../../../src/domain/audit.js'
import { isOfOwnClient, withoutClient } from '../../../../src/domain/audit.js'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { AuditLog } from '../../../../src/ports/audit-log.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('audit')
const OWN =
  'forget takes the client from what the account did and what an unknown client did to it, and leaves the rest'
const OTHERS = 'forget leaves records of other clients as they are'
const MANY = 'forget is done for any number of records, and twice is harmless'
const KEYS = 'what is appended with the key of a record that was forgotten is a record of its own'
const RACE = 'of 16 who forget one account at once each record is told once, and none is lost'

export const brokenForgetting: readonly Breakage[] = [
  broken('forget does nothing', [OWN, MANY, KEYS, RACE], () => ({ forget: async () => 0 })),
  broken('forget says nothing', [OWN, MANY, RACE], (inner) => ({
    async forget(accountId) {
      await inner.forget(accountId)
      return 0
    },
  })),
  broken('forget takes all records of the account', [OTHERS], () =>
    onRecords((record, accountId) => (record.accounts.includes(accountId) ? withoutClient(record) : record)),
  ),
  broken('forget does not look whose records they are', [OTHERS], () =>
    onRecords((record) => withoutClient(record)),
  ),
  broken('forget leaves what an unknown client did', [OWN, KEYS], () =>
    onRecords((record, accountId) => (record.actor === 'anonymous' ? record : ownOnly(record, accountId))),
  ),
  broken('forget leaves the key of a count', [OWN, KEYS], () =>
    onRecords((record, accountId) => {
      const { countKey } = record
      return { ...ownOnly(record, accountId), ...(countKey !== undefined && { countKey }) }
    }),
  ),
  broken('forget ends after a step', [MANY], () => {
    let left = 0
    return onRecords(
      (record, accountId) => ((left -= 1) < 0 ? record : ownOnly(record, accountId)),
      () => (left = 100),
    )
  }),
  broken('forget looks, then counts', [RACE], () => onRecords(ownOnly, everybodyElse)),
]

function ownOnly(record: AuditRecord, accountId: AccountId): AuditRecord {
  return isOfOwnClient(record, accountId) ? withoutClient(record) : record
}

/** A log on a map, which changes its records as it is told, with something between the look and the writes. */
function onRecords(
  change: (record: AuditRecord, accountId: AccountId) => AuditRecord,
  between: () => unknown = () => undefined,
): Partial<AuditLog> {
  const records = new Map<AuditRecordId, AuditRecord>()
  return {
    async append(record) {
      const known = [...records.values()].find(({ countKey }) => countKey && countKey === record.countKey)
      if (known) records.set(known.id, { ...known, count: (known.count ?? 0) + (record.count ?? 0) })
      else records.set(record.id, record)
    },
    page: async ({ accountId }) =>
      [...records.values()].filter(({ accounts }) => accountId === undefined || accounts.includes(accountId)),
    async forget(accountId) {
      const before = [...records.values()]
      await between()
      const changed = before.filter((record) => {
        const after = change(record, accountId)
        records.set(record.id, after)
        return Object.keys(after).length < Object.keys(record).length
      })
      return changed.length
    },
  }
}
