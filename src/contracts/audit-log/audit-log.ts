import assert from 'node:assert/strict'
import { AUDIT_EVENTS } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { numbersBelow, race, sumOf, lawOf, type Law } from '../law.js'
import { anAuditRecord, NOW, SECOND, AWKWARD_STRINGS } from '../samples.js'
import { ANN, appendAll, BOB, pageOf, shuffled } from './pages.js'

const law = lawOf('audit')
const LARGE = 4_000_000_001 as AccountId

/** Contract tests for storing audit records, removing client data from them, and purging them. */
export const auditLogLaws: readonly Law[] = [
  law('a record is stored unchanged, and absent properties stay absent')
    .protects('The log keeps each event unchanged.')
    .check(async (store) => {
      const records = [
        ...AWKWARD_STRINGS.map((text, index) =>
          anAuditRecord(`1-${String(index).padStart(2, '0')}`, {
            ...{ actor: text, subject: `${text} `, address: ` ${text}`, requestId: text + text },
          }),
        ),
        ...AUDIT_EVENTS.map((event, index) =>
          anAuditRecord(`2-${String(index).padStart(2, '0')}`, { event, outcome: 'failure' }),
        ),
        anAuditRecord('3-0', { accounts: [] }),
        anAuditRecord('3-1', { accounts: [BOB, ANN] }),
        anAuditRecord('3-2', { subject: '', accounts: [LARGE] }),
        anAuditRecord('3-3', { requestId: 'request' }),
        anAuditRecord('3-4', { at: NOW + 1 }),
      ]
      await appendAll(store, records)
      assert.deepEqual(await pageOf(store), records)
    }),
  law('purge removes the oldest records before the given time, up to its limit, and returns their number')
    .protects('The log keeps records for the required time and no longer.')
    .check(async (store) => {
      const records = [-SECOND, -2, -1, 0, 1].map((offset) =>
        anAuditRecord('0', { at: NOW + offset, accounts: [BOB, ANN] }),
      )
      await appendAll(store, shuffled(records))
      assert.equal(await store.audit.purge(NOW - SECOND, 10), 0)
      assert.equal(await store.audit.purge(NOW, 2), 2)
      assert.deepEqual(await pageOf(store), records.slice(2))
      assert.equal(await store.audit.purge(NOW, 10), 1)
      assert.equal(await store.audit.purge(NOW, 10), 0)
      for (const filter of [{}, { accountId: ANN }, { accountId: BOB }, { event: 'login' as const }])
        assert.deepEqual(await pageOf(store, filter), records.slice(3))
    }),
  law('16 concurrently appended records are all stored, and each is readable when its call resolves')
    .protects('All concurrent events are audited.')
    .check(async (store) => {
      const records = numbersBelow(16).map((caller) => anAuditRecord(caller.toString(16)))
      const seen = await race(async (caller) => {
        const record = records[caller]
        assert.ok(record)
        await store.audit.append(record)
        return (await pageOf(store)).some(({ id }) => id === record.id)
      })
      assert.deepEqual(new Set(seen), new Set([true]))
      assert.deepEqual(await pageOf(store), records)
    }),
  law(
    'a record with the key of a stored record only increases the count of the stored record, until that record is purged',
  )
    .protects('A flood of identical events is stored as one record with a count.')
    .check(async (store) => {
      const first = anAuditRecord('1', { count: 1, countKey: 'flood', address: '1', accounts: [ANN] })
      const others = [
        anAuditRecord('2', { count: 5, countKey: 'Flood' }),
        anAuditRecord('3'),
        anAuditRecord('4'),
      ]
      await appendAll(store, [first, ...others])
      const later = { count: 40, countKey: 'flood', address: '2', requestId: 'later', accounts: [BOB] }
      for (const rank of ['5', '0']) await store.audit.append(anAuditRecord(rank, later))
      assert.deepEqual(await pageOf(store), [{ ...first, count: 81 }, ...others])
      assert.deepEqual(await pageOf(store, { accountId: ANN }), [{ ...first, count: 81 }])
      assert.deepEqual(await pageOf(store, { accountId: BOB }), [])
      assert.equal(await store.audit.purge(NOW + 1, 1), 1)
      const next = anAuditRecord('6', later)
      for (const _ of ['first', 'again']) await store.audit.append(next)
      assert.deepEqual(await pageOf(store), [...others, { ...next, count: 80 }])
    }),
  law('16 concurrent records with the same key become one record with the sum of their counts')
    .protects('Concurrent events on several servers are all counted.')
    .inRounds(async (store, round) => {
      const rank = (caller: number) => `${round}-${String(caller).padStart(2, '0')}`
      const countKey = `round ${round}`
      await race((caller) => store.audit.append(anAuditRecord(rank(caller), { count: caller + 1, countKey })))
      const found = (await pageOf(store)).filter((one) => one.countKey === countKey)
      const kept = found.map(({ count }) => count)
      assert.deepEqual(kept, [(16 * 17) / 2])
    }),
  law('16 concurrent purges count each record once')
    .protects('The reported number of removed records is correct.')
    .check(async (store) => {
      const records = numbersBelow(20).map((offset) => anAuditRecord('0', { at: NOW + offset }))
      await appendAll(store, records)
      const counts = await race(() => store.audit.purge(NOW + 18, 3))
      const late = await store.audit.purge(NOW + 18, 100)
      assert.equal(sumOf(counts) + late, 18)
      assert.ok(Math.max(...counts) <= 3, 'no call exceeds its limit')
      assert.deepEqual(await pageOf(store), records.slice(18))
    }),
  law('forget removes client data only from records by the account or by unknown clients')
    .protects('The log keeps only the ID of a deleted account, and still shows every event.')
    .check(async (store) => {
      const own = { ...WHENCE, actor: `account:${ANN}` }
      const unknown = { ...WHENCE, actor: 'anonymous', outcome: 'failure' } as const
      const records = [
        anAuditRecord('0', { ...own, accounts: [ANN] }),
        anAuditRecord('1', { ...own, subject: `account:${BOB}`, accounts: [ANN, BOB] }),
        anAuditRecord('2', { ...own, subject: `account:${BOB}`, accounts: [BOB, ANN] }),
        anAuditRecord('3', { ...unknown, subject: `account:${ANN}`, accounts: [ANN] }),
        anAuditRecord('4', { actor: `account:${ANN}`, requestId: 'request', accounts: [ANN] }),
        anAuditRecord('5', { ...unknown, count: 3, countKey: 'key', accounts: [ANN] }),
      ]
      await appendAll(store, records)
      assert.equal(await store.audit.forget(ANN), records.length)
      const left = records.map(({ address: _, requestId: __, countKey: ___, ...rest }) => rest)
      assert.deepEqual(await pageOf(store), left)
      for (const filter of [{ accountId: ANN }, { event: 'login' } as const])
        assert.deepEqual(await pageOf(store, filter), left)
      assert.deepEqual(await pageOf(store, { accountId: BOB }), left.slice(1, 3))
    }),
  law('forget leaves records of other clients unchanged')
    .protects('The log still shows everything that an administrator did to a removed account.')
    .check(async (store) => {
      const others = [
        { actor: `account:${BOB}`, accounts: [BOB, ANN] },
        { actor: `account:${BOB}`, accounts: [ANN, BOB] },
        { actor: `account:${BOB}`, accounts: [BOB] },
        { actor: `account:${ANN}7`, accounts: [`${ANN}7`, ANN].map(Number) as AccountId[] },
        { actor: `apikey:${ANN}`, accounts: [ANN] },
        { actor: 'cli:root', accounts: [ANN] },
        { actor: 'anonymous', accounts: [] },
        { actor: 'anonymous', accounts: [BOB] },
        { actor: `account:${ANN}`, accounts: [BOB] },
      ]
      const records = others.map((one, rank) => anAuditRecord(String(rank), { ...WHENCE, ...one }))
      await appendAll(store, records)
      assert.equal(await store.audit.forget(ANN), 0)
      assert.deepEqual(await pageOf(store), records)
    }),
  law('forget handles any number of records, and a second call has no effect')
    .protects('The client data is forgotten even if the account has a long history.')
    .check(async (store) => {
      const records = numbersBelow(MANY).map((rank) =>
        anAuditRecord(String(rank).padStart(4, '0'), { ...WHENCE, actor: `account:${ANN}`, accounts: [ANN] }),
      )
      await appendAll(store, records)
      assert.equal(await store.audit.forget(ANN), MANY)
      assert.equal(await store.audit.forget(ANN), 0)
      const left = await pageOf(store)
      assert.equal(left.length, MANY)
      assert.deepEqual(
        left.filter(({ address, requestId }) => address !== undefined || requestId !== undefined),
        [],
      )
    }),
  law('a new record with the key of a forgotten record is stored separately')
    .protects('Later events are counted, and forgotten data does not come back.')
    .check(async (store) => {
      const counted = { ...WHENCE, actor: 'anonymous', accounts: [ANN], countKey: 'key' }
      const first = anAuditRecord('0', { ...counted, count: 2 })
      const second = anAuditRecord('1', { ...counted, count: 1 })
      await appendAll(store, [first])
      await store.audit.forget(ANN)
      await appendAll(store, [second, second])
      const { address: _, requestId: __, countKey: ___, ...rest } = first
      assert.deepEqual(await pageOf(store), [rest, { ...second, count: 2 }])
    }),
  law('16 concurrent forget calls count each record once')
    .protects('A repeated deletion does no harm.')
    .inRounds(async (store, round) => {
      const at = NOW + round
      const records = ['0', '1', '2', '3'].map((rank) =>
        anAuditRecord(rank, { ...WHENCE, at, actor: `account:${ANN}`, accounts: [ANN] }),
      )
      await appendAll(store, records)
      const counts = await race(() => store.audit.forget(ANN))
      assert.equal(sumOf(counts), records.length)
      assert.equal((await pageOf(store)).length, round * records.length)
    }),
]

const WHENCE = { address: '203.0.113.7', requestId: 'request' }
/** More records than any store changes in a single step. */
const MANY = 250
