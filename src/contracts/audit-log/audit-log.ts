import assert from 'node:assert/strict'
import { AUDIT_EVENTS } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { ANN, appendAll, BOB, inOrder, pageOf, shuffled } from './arrangements.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anAuditRecord, AWKWARD_TEXTS, NOW, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('audit')
const LARGE = 4_000_000_001 as AccountId

/** What is audited, and goes when its time is over. */
export const auditLogLaws: readonly Law[] = [
  law(
    'a record is kept to the letter, and what is absent stays absent',
    'The log says what happened, not what a store made of it.',
    async (store) => {
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
    },
  ),
  law(
    'records come in the order of their ids, in whatever order they were appended',
    'The log tells what came first, also of two servers.',
    async (store) => {
      const records = inOrder()
      await appendAll(store, shuffled(records))
      assert.deepEqual(await pageOf(store), records)
    },
  ),
  law(
    'purge removes what is from before its moment, the oldest first, at most so much, and says how much',
    'The log keeps what it has to keep, and no longer.',
    async (store) => {
      const records = [-SECOND, -2, -1, 0, 1].map((offset) =>
        anAuditRecord('0', { at: NOW + offset, accounts: [BOB, ANN] }),
      )
      await appendAll(store, shuffled(records))
      assert.equal(await store.audit.purge(NOW - SECOND, 10), 0)
      assert.equal(await store.audit.purge(NOW, 2), 2)
      assert.deepEqual(await pageOf(store), records.slice(2))
      assert.equal(await store.audit.purge(NOW, 10), 1)
      assert.equal(await store.audit.purge(NOW, 10), 0)
      for (const filter of [{}, { accountId: ANN }, { accountId: BOB }, { event: 'login' as const }]) {
        assert.deepEqual(await pageOf(store, filter), records.slice(3))
      }
    },
  ),
  law(
    'of 16 records appended at once none is lost, and each is there when its call is done',
    'What happens at the same moment is audited, all of it.',
    async (store) => {
      const records = Array.from({ length: 16 }, (_, caller) => anAuditRecord(caller.toString(16)))
      const seen = await race(async (caller) => {
        const record = records[caller]
        assert.ok(record)
        await store.audit.append(record)
        return (await pageOf(store)).some(({ id }) => id === record.id)
      })
      assert.deepEqual(new Set(seen), new Set([true]))
      assert.deepEqual(await pageOf(store), records)
    },
  ),
  law(
    'what is appended with the key of a record adds to its count, and changes nothing else',
    'A flood of one kind is one record that tells how much there was.',
    async (store) => {
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
    },
  ),
  law(
    'of 16 records of one key appended at once one is kept, and every count is in its sum',
    'Also what happens at the same moment, on several servers, is counted whole.',
    async (store) => {
      await inRounds(async (round) => {
        const rank = (caller: number) => `${round}-${String(caller).padStart(2, '0')}`
        const countKey = `round ${round}`
        await race((caller) =>
          store.audit.append(anAuditRecord(rank(caller), { count: caller + 1, countKey })),
        )
        const found = (await pageOf(store)).filter((one) => one.countKey === countKey)
        assert.deepEqual(
          found.map(({ count }) => count),
          [(16 * 17) / 2],
        )
      })
    },
  ),
  law(
    'of 16 purges of the log at once each record is counted once',
    'The record of what was cleaned up is true.',
    async (store) => {
      const records = Array.from({ length: 20 }, (_, offset) => anAuditRecord('0', { at: NOW + offset }))
      await appendAll(store, records)
      const counts = await race(() => store.audit.purge(NOW + 18, 3))
      const late = await store.audit.purge(NOW + 18, 100)
      assert.equal(counts.reduce((sum, count) => sum + count) + late, 18)
      assert.ok(Math.max(...counts) <= 3, 'no call goes beyond its limit')
      assert.deepEqual(await pageOf(store), records.slice(18))
    },
  ),
  law(
    'changing what was passed in or handed out changes nothing in the store',
    'Changing an object does not rewrite the log.',
    async (store) => {
      const record = anAuditRecord('0', { subject: 'account:8', accounts: [ANN, BOB] })
      const passedIn = structuredClone(record)
      await store.audit.append(passedIn)
      tamperWith(passedIn)
      for (const filter of [{}, { accountId: BOB }, {}, { accountId: BOB }]) {
        const page = await pageOf(store, filter)
        assert.deepEqual(page, [record])
        tamperWith(page)
      }
    },
  ),
]
