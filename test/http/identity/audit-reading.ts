import { expect } from 'chai'
import type { AuditRecord } from '../../../src/domain/audit.js'
import { timePrefix } from '../../../src/domain/time-ordered-id.js'
import type { Store } from '../../../src/ports/store.js'

/** An audit record except its ID and key, which a test cannot predict. */
export type Entry = Omit<AuditRecord, 'id' | 'countKey'>

const MEMBERS = [
  'id',
  'at',
  'event',
  'actor',
  'subject',
  'address',
  'requestId',
  'outcome',
  'accounts',
  'count',
  'countKey',
]

/** Each call returns the entries audited since the previous call. */
export function newEntriesOf(store: Store): () => Promise<readonly Entry[]> {
  let last: AuditRecord['id'] | undefined
  return async () => {
    const records = await store.audit.page({ limit: 1_000, ...(last !== undefined && { after: last }) })
    last = records.at(-1)?.id ?? last
    return records.map(entryOf)
  }
}

/** Only the members that a record may have. */
function entryOf({ id, countKey, ...entry }: AuditRecord): Entry {
  expect(MEMBERS).to.include.members(Object.keys(entry))
  expect(countKey === undefined).to.equal(entry.count === undefined)
  expect(id.startsWith(timePrefix(entry.at)), id).to.equal(true)
  return entry
}
