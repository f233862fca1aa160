import assert from 'node:assert/strict'
import { AUDIT_EVENTS, type AuditRecord } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { ANN, appendAll, BOB, inOrder, pageOf, shuffled } from './pages.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anAuditRecord, AWKWARD_TEXTS, NOW, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('audit')
const LARGE = 4_000_000_001 as AccountId

/** How records are kept, forgotten and purged. */
export const auditLogLaws: readonly Law[] = [
  law('a record is kept to the letter, and what is absent stays absent')
    .protects('The log says what happened, not what a store made of it.')
    .check(async (store) => {
      const records = [
        ...AWKWARD_TEXTS.map((text, index) =>
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
  law('records come in the order of their ids, in whatever order they were appended')
    .protects('The log tells what came first, also of two servers.')
    .check(async (store) => {
      const records = inOrder()
      await appendAll(store, shuffled(records))
      assert.deepEqual(await pageOf(store), records)
    }),
  law('purge removes what is from before its moment, the oldest first, at most so much, and says how much')
    .protects('The log keeps what it has to keep, and no longer.')
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
  law('of 16 records appended at once none is lost, and each is there when its call is done')
    .protects('What happens at the same moment is audited, all of it.')
    .check(async (store) => {
      const records = Array.from({ length: 16 }, (_, caller) => anAuditRecord(caller.toString(16)))
      const seen = await race(async (caller) => {
        const record = records[caller]
        assert.ok(record)
        await store.audit.append(record)
        return (await pageOf(store)).some(({ id }) => id === record.id)
      })
      assert.deepEqual(new Set(seen), new Set([true]))
      assert.deepEqual(await pageOf(store), records)
    }),
  law('what is appended with the key of a record adds to its count, and changes nothing else')
    .protects('A flood of one kind is one record that tells how much there was.')
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
    }),
  law('of 16 records of one key appended at once one is kept, and every count is in its sum')
    .protects('Also what happens at the same moment, on several servers, is counted whole.')
    .inRounds(async (store, round) => {
      const rank = (caller: number) => `${round}-${String(caller).padStart(2, '0')}`
      const countKey = `round ${round}`
      await race((caller) => store.audit.append(anAuditRecord(rank(caller), { count: caller + 1, countKey })))
      const found = (await pageOf(store)).filter((one) => one.countKey === countKey)
      const kept = found.map(({ count }) => count)
      assert.deepEqual(kept, [(16 * 17) / 2])
    }),
  law('of 16 purges of the log at once each record is counted once')
    .protects('The record of what was cleaned up is true.')
    .check(async (store) => {
      const records = Array.from({ length: 20 }, (_, offset) => anAuditRecord('0', { at: NOW + offset }))
      await appendAll(store, records)
      const counts = await race(() => store.audit.purge(NOW + 18, 3))
      const late = await store.audit.purge(NOW + 18, 100)
      assert.equal(counts.reduce((sum, count) => sum + count) + late, 18)
      assert.ok(Math.max(...counts) <= 3, 'no call goes beyond its limit')
      assert.deepEqual(await pageOf(store), records.slice(18))
    }),
  law('changing what was passed in or handed out changes nothing in the store')
    .protects('Changing an object does not rewrite the log.')
    .check(async (store) => {
      const record = anAuditRecord('0', { subject: 'account:8', accounts: [ANN, BOB] })
      const passedIn = structuredClone(record)
      await store.audit.append(passedIn)
      tamperWith(passedIn)
      for (const filter of [{}, { accountId: BOB }, {}, { accountId: BOB }]) {
        const page = await pageOf(store, filter)
        assert.deepEqual(page, [record])
        tamperWith(page)
      }
    }),
  law(
    'forget takes the client from what the account did and what an unknown client did to it, and leaves the rest',
  )
    .protects('Of an account that was deleted the log has the id alone, and still tells what happened.')
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
  law('forget leaves records of other clients as they are')
    .protects('The actions of an administrator on a removed account stay in the log, complete.')
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
  law('forget is done for any number of records, and twice is harmless')
    .protects('An account with a long history is forgotten like any other.')
    .check(async (store) => {
      const records = Array.from({ length: MANY }, (_, rank) =>
        anAuditRecord(String(rank).padStart(4, '0'), { ...WHENCE, actor: `account:${ANN}`, accounts: [ANN] }),
      )
      await appendAll(store, records)
      assert.equal(await store.audit.forget(ANN), MANY)
      assert.equal(await store.audit.forget(ANN), 0)
      const left = await pageOf(store)
      assert.equal(left.length, MANY)
      assert.deepEqual(left.filter(tellsWhence), [])
    }),
  law('what is appended with the key of a record that was forgotten is a record of its own')
    .protects('What comes later is counted, and brings nothing back.')
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
  law('of 16 who forget one account at once each record is told once, and none is lost')
    .protects('A deletion that is asked for twice harms nothing.')
    .inRounds(async (store, round) => {
      const at = NOW + round
      const records = ['0', '1', '2', '3'].map((rank) =>
        anAuditRecord(rank, { ...WHENCE, at, actor: `account:${ANN}`, accounts: [ANN] }),
      )
      await appendAll(store, records)
      const counts = await race(() => store.audit.forget(ANN))
      const sum = counts.reduce((sum, count) => sum + count)
      assert.equal(sum, records.length)
      assert.equal((await pageOf(store)).length, round * records.length)
    }),
]

const WHENCE = { address: '203.0.113.7', requestId: 'request' }
/** More than a store changes in one step. */
const MANY = 250

function tellsWhence({ address, requestId }: AuditRecord): boolean {
  return address !== undefined || requestId !== undefined
}
