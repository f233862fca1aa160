import assert from 'node:assert/strict'
import type { PetId } from '../../domain/catalogue/pet.js'
import type { Idempotency } from '../../ports/pets.js'
import type { Store } from '../../ports/store.js'
import { assertRace, inRounds, eachInOrder, race, sumOf } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { anIdempotency, aPet, DAY, NOW, pageLimitOf, SECOND } from '../samples.js'

const law = lawOf('pets')
const END = NOW + DAY

/** Contract tests for the idempotency keys of pets. */
export const petIdempotencyLaws: readonly Law[] = [
  law('a second insert with the same idempotency key and fingerprint creates no second pet')
    .protects('A client that retries does not create a second pet.')
    .check(async (store) => {
      const id = await addWithKey(store)
      for (const at of [NOW, NOW + SECOND, END - 1]) {
        const again = anIdempotency({ at, until: at + DAY })
        assert.deepEqual(await store.pets.insert(aPet('Rex'), again), { kind: 'repeated', id })
      }
      assert.deepEqual(await catalogue(store), [id])
    }),
  law('an idempotency key that is reused with a different fingerprint is rejected')
    .protects('A key that a client reuses by mistake does not hide a new request.')
    .check(async (store) => {
      const id = await addWithKey(store)
      const other = anIdempotency({ fingerprint: 'f-2', at: END - 1 })
      assert.deepEqual(await store.pets.insert(aPet('Mia'), other), { kind: 'key-reused' })
      assert.deepEqual(await catalogue(store), [id])
    }),
  law('idempotency keys of different scopes are independent')
    .protects('Clients cannot affect each other with their keys.')
    .check(async (store) => {
      await addWithKey(store, { scope: 'account:1', key: '23' })
      const others = [
        { scope: 'account:2', key: '23' },
        { scope: 'account:12', key: '3' },
        { scope: 'account:1', key: '2' },
        { scope: 'account:1', key: '23\u0020' },
        { scope: 'account:1"', key: '23' },
        { scope: 'Account:1', key: '23' },
      ]
      for (const other of others) await addWithKey(store, other)
      assert.equal((await catalogue(store)).length, others.length + 1)
    }),
  law('an idempotency key can be reused once it has expired')
    .protects('An idempotency key expires on time.')
    .check(async (store) => {
      const first = await addWithKey(store)
      const second = await addWithKey(store, { fingerprint: 'f-2', at: END, until: END + DAY })
      assert.ok(second > first)
      const again = anIdempotency({ fingerprint: 'f-2', at: END + DAY - 1, until: END + 2 * DAY })
      assert.deepEqual(await store.pets.insert(aPet('Rex'), again), { kind: 'repeated', id: second })
      assert.equal(await store.pets.purgeIdempotencyKeys(END, 10), 0, 'the later expiry applies')
      assert.equal(await store.pets.purgeIdempotencyKeys(END + DAY, 10), 1, 'only one key is stored')
    }),
  law('purge removes expired idempotency keys')
    .protects('The store does not keep expired data.')
    .check(async (store) => {
      const first = await addWithKey(store)
      await addWithKey(store, { key: 'key-2', until: END + 1 })
      assert.equal(await store.pets.purgeIdempotencyKeys(END - 1, 10), 0)
      assert.equal(await store.pets.purgeIdempotencyKeys(END, 10), 1)
      assert.equal(await store.pets.purgeIdempotencyKeys(END, 10), 0)
      const kept = await store.pets.insert(aPet('Rex'), anIdempotency({ key: 'key-2' }))
      assert.equal(kept.kind, 'repeated', 'the other key still exists')
      await addWithKey(store, { fingerprint: 'f-2' })
      assert.ok(await store.pets.find(first), 'the pet still exists')
    }),
  law('purge removes at most the given number of idempotency keys')
    .protects('Purging never blocks the store for long.')
    .check(async (store) => {
      for (const key of ['a', 'b', 'c', 'd', 'e']) await addWithKey(store, { key })
      const counts = await eachInOrder([2, 2, 2, 2], (limit) => store.pets.purgeIdempotencyKeys(END, limit))
      assert.deepEqual(counts, [2, 2, 1, 0])
    }),
  law('16 concurrent purges count each idempotency key once')
    .protects('The reported number of removed records is correct.')
    .inRounds(async (store, round) => {
      for (const key of ['a', 'b', 'c', 'd', 'e']) await addWithKey(store, { key: `${round} ${key}` })
      assert.equal(sumOf(await race(() => store.pets.purgeIdempotencyKeys(END, 10))), 5)
    }),
  law('16 concurrent inserts with the same idempotency key create one pet')
    .protects('A client creates one pet, even if it repeats the request concurrently.')
    .inRounds(async (store, round) => {
      const key = anIdempotency({ key: `key-${round}` })
      const answers = await assertRace({ inserted: 1, repeated: 15 }, () =>
        store.pets.insert(aPet('Rex'), key),
      )
      assert.equal(new Set(answers.map(idOf)).size, 1, 'all callers get the same id')
      assert.equal((await catalogue(store)).length, round)
    }),
  law('16 concurrent inserts with the same expired idempotency key create one pet')
    .protects('Only one request can reuse an expired key.')
    .check(async (store) => {
      await addWithKey(store)
      await inRounds(async (round) => {
        const at = NOW + round * DAY
        const answers = await assertRace({ inserted: 1, repeated: 15 }, () =>
          store.pets.insert(aPet('Rex'), anIdempotency({ at, until: at + DAY })),
        )
        assert.equal(new Set(answers.map(idOf)).size, 1, 'all callers get the same id')
        assert.equal((await catalogue(store)).length, round + 1)
      })
    }),
  law('if two different requests race for an idempotency key, one creates a pet and the other is rejected')
    .protects('No reply contains the pet of another request.')
    .check(async (store) => {
      const answers = await assertRace({ inserted: 1, repeated: 7, 'key-reused': 8 }, (caller) =>
        store.pets.insert(aPet('Rex'), anIdempotency({ fingerprint: caller % 2 === 0 ? 'even' : 'odd' })),
      )
      const winner = answers.findIndex((answer) => answer.kind === 'inserted')
      const same = answers.filter((_, caller) => caller % 2 === winner % 2)
      assert.ok(
        same.every((answer) => answer.kind !== 'key-reused'),
        'requests equal to the successful request are not refused',
      )
      assert.equal((await catalogue(store)).length, 1)
    }),
]

/** Inserts a pet with an unused idempotency key and returns its ID. */
export async function addWithKey(store: Store, change: Partial<Idempotency> = {}): Promise<PetId> {
  const answer = await store.pets.insert(aPet('Rex'), anIdempotency(change))
  assert.ok(answer.kind === 'inserted', `the result is ${answer.kind}`)
  return answer.id
}

function idOf(answer: { readonly kind: string; readonly id?: PetId }): PetId | undefined {
  return answer.id
}

export async function catalogue(store: Store): Promise<readonly PetId[]> {
  return (await store.pets.page(undefined, pageLimitOf(100))).pets.map((pet) => pet.id)
}
