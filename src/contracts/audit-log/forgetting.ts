import assert from 'node:assert/strict'
import type { AuditRecord } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anAuditRecord, NOW } from '../samples.js'
import { ANN, appendAll, BOB, pageOf } from './arrangements.js'

const law = lawOf('audit')
const WHENCE = { address: '203.0.113.7', requestId: 'request' }
/** More than a store changes in one step. */
const MANY = 250

/** What is left of an account in the log when it is gone. */
export const auditForgettingLaws: readonly Law[] = [
  law(
    'forget takes the client from what the account did and what an unknown client did to it, and leaves the rest',
    'Of an account that was deleted the log has the id alone, and still tells what happened.',
    async (store) => {
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
    },
  ),
  law(
    'forget leaves records of other clients as they are',
    'An administrator who did something to an account that is gone is still on record, with everything.',
    async (store) => {
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
    },
  ),
  law(
    'forget is done for any number of records, and twice is harmless',
    'An account with a long history is forgotten like any other.',
    async (store) => {
      const records = Array.from({ length: MANY }, (_, rank) =>
        anAuditRecord(String(rank).padStart(4, '0'), { ...WHENCE, actor: `account:${ANN}`, accounts: [ANN] }),
      )
      await appendAll(store, records)
      assert.equal(await store.audit.forget(ANN), MANY)
      assert.equal(await store.audit.forget(ANN), 0)
      const left = await pageOf(store)
      assert.equal(left.length, MANY)
      assert.deepEqual(left.filter(tellsWhence), [])
    },
  ),
  law(
    'what is appended with the key of a record that was forgotten is a record of its own',
    'What comes later is counted, and brings nothing back.',
    async (store) => {
      const counted = { ...WHENCE, actor: 'anonymous', accounts: [ANN], countKey: 'key' }
      const [first, second] = [
        anAuditRecord('0', { ...counted, count: 2 }),
        anAuditRecord('1', { ...counted, count: 1 }),
      ]
      await appendAll(store, [first])
      await store.audit.forget(ANN)
      await appendAll(store, [second, second])
      const { address: _, requestId: __, countKey: ___, ...rest } = first
      assert.deepEqual(await pageOf(store), [rest, { ...second, count: 2 }])
    },
  ),
  law(
    'of 16 who forget one account at once each record is told once, and none is lost',
    'A deletion that is asked for twice harms nothing.',
    async (store) => {
      await inRounds(async (round) => {
        const at = NOW + round
        const records = ['0', '1', '2', '3'].map((rank) =>
          anAuditRecord(rank, { ...WHENCE, at, actor: `account:${ANN}`, accounts: [ANN] }),
        )
        await appendAll(store, records)
        const counts = await race(() => store.audit.forget(ANN))
        assert.equal(
          counts.reduce((sum, count) => sum + count),
          records.length,
        )
        assert.equal((await pageOf(store)).length, round * records.length)
      })
    },
  ),
]

function tellsWhence({ address, requestId }: AuditRecord): boolean {
  return address !== undefined || requestId !== undefined
}
