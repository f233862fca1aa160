import assert from 'node:assert/strict'
import { AUDIT_EVENTS, type AuditRecord, type AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { timePrefix } from '../../domain/instant.js'
import type { AuditPageRequest } from '../../ports/audit-log.js'
import type { Store } from '../../ports/store.js'
import { lawOf, type Law } from '../law.js'
import { anAuditRecord, NOW, SECOND, UNKNOWN } from '../samples.js'

const law = lawOf('audit')
export const [ANN, BOB] = [7, 8] as readonly number[] as readonly [AccountId, AccountId]
/** An account ID that begins with the same digit as Ann's ID. */
const CAROL = 77 as AccountId

type Request = Partial<Omit<AuditPageRequest, 'after'>> & { after?: AuditRecordId | undefined }

const FILTERS = [{}, { accountId: ANN }, { event: 'logout' }, { accountId: BOB, event: 'logout' }]

/** Contract tests for reading the audit log page by page, unfiltered or filtered by account, event and instant. */
export const auditPageLaws: readonly Law[] = [
  law('pages list every record once, including records with the same time')
    .protects('Reading the log page by page shows each record once.')
    .check(async (store) => {
      const records = inOrder()
      await appendAll(store, shuffled(records))
      for (const limit of [1, 2, 3, records.length])
        assert.deepEqual(await walk(store, {}, limit), records, `in pages of ${limit}`)
    }),
  law('a page for an event contains only records of that event')
    .protects('A query for failed logins returns no logouts.')
    .check(async (store) => {
      const records = AUDIT_EVENTS.flatMap((event, index) =>
        [1, 2].map((time) => anAuditRecord(`${time}-${String(index).padStart(2, '0')}`, { event })),
      )
      await appendAll(store, records)
      // Reads the last event first: if `append` resolves before its record is stored, the last record is missing.
      for (const event of AUDIT_EVENTS.toReversed()) {
        const expected = records.filter((one) => one.event === event)
        await assertPage(store, { event }, expected)
        assert.deepEqual(await walk(store, { event }, 1), expected, event)
      }
    }),
  law('a page starts exactly at the given time and after the given record')
    .protects("A query for the events since an attack misses no event from the attack's first second.")
    .check(async (store) => {
      const both = { event: 'logout', accounts: [BOB, ANN] } as const
      const records = [-SECOND, -1, 0, 1, SECOND].map((offset) =>
        anAuditRecord('0', { ...both, at: NOW + offset }),
      )
      await appendAll(store, records)
      const ids = records.map(({ id }) => id)
      for (const filter of FILTERS) {
        const request = { ...filter, since: NOW } as Partial<AuditPageRequest>
        await assertPage(store, request, records.slice(2))
        await assertPage(store, { ...request, limit: 1 }, records.slice(2, 3))
        await assertPage(store, { ...request, after: ids[0] }, records.slice(2))
        await assertPage(store, { ...request, after: ids[2] }, records.slice(3))
        await assertPage(store, { ...request, after: ids[4] }, [])
      }
      await assertPage(store, { since: NOW + SECOND + 1 }, [])
    }),
  law('pages list every matching record once for every filter, in both orders')
    .protects(
      'A query for an account returns exactly its records, and finds the last event without reading older events.',
    )
    .check(async (store) => {
      const records = ofSeveralAccounts()
      await appendAll(store, shuffled(records))
      for (const { order, accountId, event } of everyFilter()) {
        const filter = { ...(order && { order }), ...(accountId && { accountId }), ...(event && { event }) }
        const matching = records
          .filter((one) => event === undefined || one.event === event)
          .filter(({ accounts }) => accountId === undefined || accounts.includes(accountId))
        const expected = order === 'newest-first' ? matching.toReversed() : matching
        for (const limit of [1, 2, 3, 10])
          assert.deepEqual(await walk(store, filter, limit), expected, JSON.stringify({ ...filter, limit }))
      }
    }),
  law('a newest-first page ends exactly at the given time and continues after a purged record')
    .protects('Reading the log back to the start of an attack misses no event from its first second.')
    .check(async (store) => {
      const records = [-SECOND, -1, 0, 1, SECOND].map((offset) =>
        anAuditRecord('0', { event: 'logout', accounts: [BOB, ANN], at: NOW + offset }),
      )
      await appendAll(store, records)
      const [before, , at, , last] = records.map(({ id }) => id)
      for (const filter of FILTERS) {
        const request = { ...filter, order: 'newest-first', since: NOW } as Partial<AuditPageRequest>
        await assertPage(store, request, records.slice(2).toReversed())
        await assertPage(store, { ...request, limit: 1 }, records.slice(4))
        await assertPage(store, { ...request, after: last }, records.slice(2, 4).toReversed())
        await assertPage(store, { ...request, after: at }, [])
        await assertPage(store, { ...request, after: before }, [])
        const neverThere = `${timePrefix(NOW + 1)}-1` as AuditRecordId
        await assertPage(store, { ...request, after: neverThere }, records.slice(2, 4).toReversed())
      }
      await store.audit.purge(NOW, 10)
      const back = { order: 'newest-first', after: before } as const
      await assertPage(store, back, [])
    }),
  law('a page continues after a purged record')
    .protects('Reading the log while old records are purged misses no remaining record.')
    .check(async (store) => {
      const records = [0, 1, 2, 3].map((offset) => anAuditRecord('0', { at: NOW + offset, accounts: [ANN] }))
      await appendAll(store, records)
      await store.audit.purge(NOW + 2, 10)
      for (const after of records.slice(0, 2).map(({ id }) => id)) {
        await assertPage(store, { after }, records.slice(2))
        await assertPage(store, { after, accountId: ANN }, records.slice(2))
      }
      const neverThere = `${timePrefix(NOW + 2)}-1` as AuditRecordId
      await assertPage(store, { after: neverThere }, records.slice(3))
    }),
]

function everyFilter() {
  const orders = [undefined, 'oldest-first', 'newest-first'] as const
  const events = [undefined, 'login', 'logout', 'user.create'] as const
  return orders.flatMap((order) =>
    [undefined, ANN, BOB, CAROL, UNKNOWN].flatMap((accountId) =>
      events.map((event) => ({ order, accountId, event })),
    ),
  )
}

async function assertPage(store: Store, request: Request, expected: readonly AuditRecord[]) {
  assert.deepEqual(await pageOf(store, request), expected, JSON.stringify(request))
}

async function walk(store: Store, filter: Partial<AuditPageRequest>, limit: number) {
  const walked: AuditRecord[] = []
  for (let pages = 0; pages < 100; pages += 1) {
    const page = await pageOf(store, { ...filter, limit, after: walked.at(-1)?.id })
    assert.ok(page.length <= limit, 'no page is longer than its limit')
    walked.push(...page)
    if (page.length < limit) return walked
  }
  return assert.fail('the last page was never reached')
}

function ofSeveralAccounts(): readonly AuditRecord[] {
  const holders = [[ANN], [BOB, ANN], [], [ANN, BOB], [BOB], [CAROL], [ANN], [CAROL, ANN]]
  return holders.map((accounts, index) =>
    anAuditRecord(String(index), { accounts, event: index % 2 === 0 ? 'login' : 'logout' }),
  )
}

export async function pageOf(store: Store, { after, ...rest }: Request = {}) {
  return await store.audit.page({ limit: 1_000, ...rest, ...(after !== undefined && { after }) })
}

export async function appendAll(store: Store, records: readonly AuditRecord[]): Promise<void> {
  for (const record of records) await store.audit.append(record)
}

/** Returns records with different instants and several records with the same instant, in ID order. */
function inOrder(): readonly AuditRecord[] {
  return [
    ...[0, 15, 16, NOW - 1].map((at) => anAuditRecord('0', { at })),
    ...['0', '00', '9', 'B', '_', 'a', 'c'].map((rank) => anAuditRecord(rank)),
    ...[NOW + 1, NOW + SECOND].map((at) => anAuditRecord('0', { at })),
  ]
}

/** Returns the records in a different order, in which both the first and the last record have moved. */
export function shuffled(records: readonly AuditRecord[]): readonly AuditRecord[] {
  const even = records.filter((_, index) => index % 2 === 0)
  return [...records.filter((_, index) => index % 2 === 1).toReversed(), ...even]
}
