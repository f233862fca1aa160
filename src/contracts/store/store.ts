import assert from 'node:assert/strict'
import { isRefusal } from '../../domain/refusal.js'
import type { Store } from '../../ports/store.js'
import { assertAccount, addAccount, ensureRole, logIn } from '../arrangements.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aPet } from '../samples.js'
import { CALLS } from './calls.js'

const law = lawOf('store')
const accountLaw = lawOf('store', addAccount)

/** Contract tests for `ready` and `close`, and for every call of a closed store. */
export const wholeStoreLaws: readonly Law[] = [
  law('an open store is ready')
    .protects('The service can report that it is ready.')
    .check(async (store) => {
      await store.ready()
      await addAccount(store)
      await store.ready()
    }),
  law('later changes to the inputs or results of a call do not change the store')
    .protects('A caller that reuses an object does not write to the store by accident.')
    .check(async (store) => {
      // Every law overwrites the inputs and the result of each store call.
      const role = await ensureRole(store, 'editor')
      const ann = await addAccount(store, 'ann', { roles: [role.key] })
      for (const _ of ['first', 'second']) await assertAccount(store, ann)
      assert.deepEqual(await store.roles.list(), [role])
    }),
  law('a second close has no effect')
    .protects('A repeated shutdown does not crash.')
    .check(async (store) => {
      await Promise.all([store.close(), store.close()])
      await store.close()
    }),
  accountLaw('every call after close reports that the store is unavailable')
    .protects('A request after shutdown gets a retryable error.')
    .check(async (store, account) => {
      await logIn(store, account)
      await store.close()
      await assertUnavailable(store, (name) => !name.startsWith('copyableRecords.'))
    }),
  law('a call in progress during close either succeeds or fails with `unavailable`')
    .protects('A shutdown either lets a request finish or fails it with a clear error.')
    .check(async (store) => {
      await race(async (caller) => {
        if (caller === 8) await store.close()
        else await doneOrUnavailable(store.pets.insert(aPet(`Rex ${caller}`)))
      })
      await assert.rejects(store.ready(), isUnavailable)
    }),
]

/** Asserts that each selected call rejects with `unavailable`, because the store is closed. */
export async function assertUnavailable(store: Store, isMeant: (name: string) => boolean): Promise<void> {
  for (const [name, call] of Object.entries(CALLS).filter(([one]) => isMeant(one)))
    await assert.rejects(() => call(store), isUnavailable, `${name} is unavailable`)
}

function isUnavailable(error: unknown): boolean {
  return isRefusal(error) && error.code === 'unavailable'
}

async function doneOrUnavailable(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => assert.ok(isUnavailable(error), `it is ${String(error)}`))
}
