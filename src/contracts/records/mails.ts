import assert from 'node:assert/strict'
import type { AccountId } from '../../domain/identity/account.js'
import { lawOf, type Law } from '../law.js'
import { recordsOf, takeAwayAndPutAgain } from './arrangements.js'
import { aMailJob, anAuditRecord, NOW, SECOND } from '../samples.js'

const law = lawOf('records')
const SOON = NOW + 2 * SECOND

/** What becomes of mails that wait and of the audit log in a copy. */
export const mailRecordLaws: readonly Law[] = [
  law(
    'a mail that was put leaves at once, whichever worker had it and whatever it waited for, and keeps its attempts',
    'After a copy no user waits for a mail that a worker of the old store had.',
    async (store) => {
      const [tried, taken] = [aMailJob('0'), aMailJob('1', { requestId: 'request', about: 'removed' })]
      for (const job of [tried, taken]) await store.mailQueue.enqueue(job, 10)
      await store.mailQueue.claim(NOW, SOON)
      await store.mailQueue.postpone({ id: tried.id, until: SOON }, SOON)
      assert.deepEqual(await store.mailQueue.claim(NOW, SOON), taken)
      await takeAwayAndPutAgain(recordsOf(store))
      const claims = [await store.mailQueue.claim(NOW, SOON), await store.mailQueue.claim(NOW, SOON)]
      assert.deepEqual(claims, [{ ...tried, attempts: 1 }, taken])
    },
  ),
  law(
    'an audit record that was put is on the pages that it was on',
    'After a copy it is still known who did what to whom.',
    async (store) => {
      const accounts = [2, 1] as readonly number[] as readonly AccountId[]
      await store.audit.append(anAuditRecord('0', { accounts, subject: 'account:2' }))
      await store.audit.append(anAuditRecord('1', { accounts: [], event: 'logout', address: 'address' }))
      const pages = async () => [
        ...(await Promise.all(accounts.map((accountId) => store.audit.page({ accountId, limit: 10 })))),
        await store.audit.page({ event: 'logout', limit: 10 }),
        await store.audit.page({ limit: 10 }),
      ]
      const before = await pages()
      assert.deepEqual(
        before.map(({ length }) => length),
        [1, 1, 1, 2],
      )
      await takeAwayAndPutAgain(recordsOf(store))
      assert.deepEqual(await pages(), before)
    },
  ),
]
