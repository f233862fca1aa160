import assert from 'node:assert/strict'
import { AUDIT_EVENTS, type AuditRecord, type AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { timePrefix } from '../../domain/time-ordered-id.js'
import type { AuditPageRequest } from '../../ports/audit-log.js'
import type { Store } from '../../ports/store.js'
import { ANN, appendAll, BOB, inOrder, pageOf, shuffled } from './arrangements.js'
import { lawOf, type Law } from '../law.js'
import { anAuditRecord, NOW, SECOND } from '../samples.js'

const law = lawOf('audit')
/** Its number begins as Ann's does. */
const CAROL = 77 as AccountId
const UNKNOWN = 4_000_000_001 as AccountId

/** The pages of the audit log: of everything, an account, an event or both, from some moment on. */
export const auditPageLaws: readonly Law[] = [
  law(
    'pages walk over all records, also of one moment',
    'Reading the log page by page leaves nothing out and shows nothing twice.',
    async (store) => {
      const records = inOrder()
      await appendAll(store, shuffled(records))
      for (const limit of [1, 2, 3, records.length]) {
        assert.deepEqual(await walk(store, {}, limit), records, `in steps of ${limit}`)
      }
    },
  ),
  law(
    'a page of an account holds what it did and what was done to it, each record once',
    'Asking what happened to an account gives all of it, and nothing of other accounts.',
    async (store) => {
      const records = ofSeveralAccounts()
      await appendAll(store, shuffled(records))
      for (const accountId of [ANN, BOB, CAROL, UNKNOWN]) {
        const expected = records.filter(({ accounts }) => accounts.includes(accountId))
        assert.deepEqual(await pageOf(store, { accountId }), expected, `of account ${accountId}`)
        for (const limit of [1, 2, 3]) assert.deepEqual(await walk(store, { accountId }, limit), expected)
      }
    },
  ),
  law(
    'a page of an event holds this event and no other',
    'Asking for failed logins gives no logouts.',
    async (store) => {
      const records = AUDIT_EVENTS.flatMap((event, index) =>
        [1, 2].map((time) => anAuditRecord(`${time}-${String(index).padStart(2, '0')}`, { event })),
      )
      await appendAll(store, records)
      // The last one first: what was appended last may not be kept yet, where a store does not wait.
      for (const event of AUDIT_EVENTS.toReversed()) {
        const expected = records.filter((one) => one.event === event)
        assert.deepEqual(await pageOf(store, { event }), expected, event)
        assert.deepEqual(await walk(store, { event }, 1), expected, event)
      }
    },
  ),
  law(
    'a page of an account and an event holds what is of both, and nothing else takes a place on it',
    'A page that is short is the last one.',
    async (store) => {
      const records = ofSeveralAccounts()
      await appendAll(store, records)
      const expected = records.filter(({ accounts, event }) => event === 'logout' && accounts.includes(ANN))
      assert.equal(expected.length, 3)
      for (const limit of [1, 2, 3, 10]) {
        assert.deepEqual(await walk(store, { accountId: ANN, event: 'logout' }, limit), expected)
      }
    },
  ),
  law(
    'a page begins at its moment exactly, and behind the record that it goes on after',
    'Asking for what happened since the attack misses nothing of its first second.',
    async (store) => {
      const both = { event: 'logout', accounts: [BOB, ANN] } as const
      const records = [-SECOND, -1, 0, 1, SECOND].map((offset) =>
        anAuditRecord('0', { ...both, at: NOW + offset }),
      )
      await appendAll(store, records)
      const ids = records.map(({ id }) => id)
      for (const filter of [
        {},
        { accountId: ANN },
        { event: 'logout' },
        { accountId: BOB, event: 'logout' },
      ]) {
        const request = { ...filter, since: NOW } as Partial<AuditPageRequest>
        assert.deepEqual(await pageOf(store, request), records.slice(2), 'since')
        assert.deepEqual(
          await pageOf(store, { ...request, limit: 1 }),
          records.slice(2, 3),
          'the first since',
        )
        assert.deepEqual(
          await pageOf(store, { ...request, after: ids[0] }),
          records.slice(2),
          'since the later',
        )
        assert.deepEqual(
          await pageOf(store, { ...request, after: ids[2] }),
          records.slice(3),
          'after the later',
        )
        assert.deepEqual(await pageOf(store, { ...request, after: ids[4] }), [], 'after the last')
      }
      assert.deepEqual(await pageOf(store, { since: NOW + SECOND + 1 }), [])
    },
  ),
  law(
    'pages walk back where the newest come first, over whatever is asked for',
    'What happened last is found without reading the log of all years.',
    async (store) => {
      const records = ofSeveralAccounts()
      await appendAll(store, shuffled(records))
      const order = 'newest-first'
      assert.deepEqual(await pageOf(store, { order: 'oldest-first' }), records)
      for (const accountId of [undefined, ANN, BOB, CAROL, UNKNOWN])
        for (const event of [undefined, 'login', 'logout', 'user.create'] as const) {
          const filter = { order, ...(accountId && { accountId }), ...(event && { event }) } as const
          const expected = records
            .filter((one) => event === undefined || one.event === event)
            .filter(({ accounts }) => accountId === undefined || accounts.includes(accountId))
            .toReversed()
          for (const limit of [1, 2, 3, 10])
            assert.deepEqual(await walk(store, filter, limit), expected, `in steps of ${limit}`)
        }
    },
  ),
  law(
    'a page that goes back ends at its moment exactly, and goes on behind a record that is gone',
    'Reading the log back to an attack misses nothing of its first second.',
    async (store) => {
      const records = [-SECOND, -1, 0, 1, SECOND].map((offset) =>
        anAuditRecord('0', { event: 'logout', accounts: [BOB, ANN], at: NOW + offset }),
      )
      await appendAll(store, records)
      const [before, , at, , last] = records.map(({ id }) => id)
      for (const filter of [
        {},
        { accountId: ANN },
        { event: 'logout' },
        { accountId: BOB, event: 'logout' },
      ]) {
        const request = { ...filter, order: 'newest-first', since: NOW } as Partial<AuditPageRequest>
        assert.deepEqual(await pageOf(store, request), records.slice(2).toReversed(), 'since')
        assert.deepEqual(await pageOf(store, { ...request, limit: 1 }), records.slice(4), 'the last')
        assert.deepEqual(await pageOf(store, { ...request, after: last }), records.slice(2, 4).toReversed())
        assert.deepEqual(await pageOf(store, { ...request, after: at }), [], 'behind the first since')
        assert.deepEqual(await pageOf(store, { ...request, after: before }), [], 'behind an earlier one')
        const neverThere = `${timePrefix(NOW + 1)}-1` as AuditRecordId
        assert.deepEqual(
          await pageOf(store, { ...request, after: neverThere }),
          records.slice(2, 4).toReversed(),
        )
      }
      await store.audit.purge(NOW, 10)
      const back = { order: 'newest-first', after: before } as const
      assert.deepEqual(await pageOf(store, back), [])
    },
  ),
  law(
    'a page goes on after a record that is gone',
    'Reading the log while it is cleaned up loses nothing that is still there.',
    async (store) => {
      const records = [0, 1, 2, 3].map((offset) => anAuditRecord('0', { at: NOW + offset, accounts: [ANN] }))
      await appendAll(store, records)
      await store.audit.purge(NOW + 2, 10)
      for (const after of records.slice(0, 2).map(({ id }) => id)) {
        assert.deepEqual(await pageOf(store, { after }), records.slice(2))
        assert.deepEqual(await pageOf(store, { after, accountId: ANN }), records.slice(2))
      }
      const neverThere = `${timePrefix(NOW + 2)}-1` as AuditRecordId
      assert.deepEqual(await pageOf(store, { after: neverThere }), records.slice(3))
    },
  ),
]

/** Page after page, each as long as asked for, to the one that is short. */
async function walk(
  store: Store,
  filter: Partial<AuditPageRequest>,
  limit: number,
): Promise<readonly AuditRecord[]> {
  const walked: AuditRecord[] = []
  for (let pages = 0; pages < 100; pages += 1) {
    const page = await pageOf(store, { ...filter, limit, after: walked.at(-1)?.id })
    assert.ok(page.length <= limit, 'no page is longer than asked for')
    walked.push(...page)
    if (page.length < limit) return walked
  }
  return assert.fail('the pages come to an end')
}

function ofSeveralAccounts(): readonly AuditRecord[] {
  const holders = [[ANN], [BOB, ANN], [], [ANN, BOB], [BOB], [CAROL], [ANN], [CAROL, ANN]]
  return holders.map((accounts, index) =>
    anAuditRecord(String(index), { accounts, event: index % 2 === 0 ? 'login' : 'logout' }),
  )
}
