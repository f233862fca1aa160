import assert from 'node:assert/strict'
import { isRefusal } from '../../domain/refusal.js'
import type { Store } from '../../ports/store.js'
import { assertAccount, enrol, establish, logIn } from '../arrangements.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aPet } from '../samples.js'
import { CALLS } from './calls.js'

const law = lawOf('store')
const accountLaw = lawOf('store', enrol)

export const wholeStoreLaws: readonly Law[] = [
  law('an open store is ready')
    .protects('The service reports that it is up.')
    .check(async (store) => {
      await store.ready()
      await enrol(store)
      await store.ready()
    }),
  law('changing inputs or answers of a call later does not change the store')
    .protects('A caller that reuses an object does not write to the store by accident.')
    .check(async (store) => {
      // Every law overwrites the inputs and the answer of each call.
      const role = await establish(store, 'editor')
      const ann = await enrol(store, 'ann', { roles: [role.key] })
      for (const _ of ['first', 'second']) await assertAccount(store, ann)
      assert.deepEqual(await store.roles.list(), [role])
    }),
  law('closing twice is harmless')
    .protects('A repeated shutdown does not crash.')
    .check(async (store) => {
      await Promise.all([store.close(), store.close()])
      await store.close()
    }),
  accountLaw('every call after close is unavailable')
    .protects('A late request gets a request to retry, not a wrong answer.')
    .check(async (store, account) => {
      await logIn(store, account)
      await store.close()
      await assertUnavailable(store, (name) => !name.startsWith('copyableRecords.'))
    }),
  law('a call that is under way at close succeeds or is unavailable')
    .protects('A shutdown has only these two effects on a request.')
    .check(async (store) => {
      await race(async (caller) => {
        if (caller === 8) await store.close()
        else await doneOrUnavailable(store.pets.insert(aPet(`Rex ${caller}`)))
      })
      await assert.rejects(store.ready(), isUnavailable)
    }),
]

/** Each of these calls of a closed store rejects with `unavailable`. */
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
