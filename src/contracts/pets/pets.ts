import assert from 'node:assert/strict'
import type { Pet, PetDraft, PetId, PetName, PetTag, Breed } from '../../domain/catalogue/pet.js'
import type { Idempotency } from '../../ports/pets.js'
import type { Store } from '../../ports/store.js'
import { addPet } from '../arrangements.js'
import { eachInOrder, numbersBelow, race, assertRace, inRounds, sumOf, lawOf, type Law } from '../law.js'
import { aPet, AWKWARD_STRINGS, pageLimitOf, NO_PET, anIdempotency, DAY, NOW, SECOND } from '../samples.js'
import { walkLaws } from '../walks.js'

const law = lawOf('pets')
const END = NOW + DAY

/** Contract tests for inserting, finding and listing pets, and for their idempotency keys. */
export const petLaws: readonly Law[] = [
  law('a pet is found as it was inserted, at revision 1')
    .protects('A client reads exactly the pet that it created.')
    .check(async (store) => {
      const whole: PetDraft = { name: 'Rex' as PetName, tag: 'big' as PetTag, category: 'Two' }
      const id = await addPet(store, whole)
      assert.ok(Number.isSafeInteger(id) && id > 0, 'the id is a positive integer')
      assert.deepEqual(await store.pets.find(id), { ...whole, id, revision: 1 })
      const bare = await addPet(store, aPet('Mia'))
      assert.deepEqual(await store.pets.find(bare), { name: 'Mia', id: bare, revision: 1 })
    }),
  law('find returns undefined for an unknown pet')
    .protects('Looking up an unknown id is not an error.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Rex'))
      for (const other of [id + 1, id - 1, NO_PET, Number.MAX_SAFE_INTEGER])
        assert.equal(await store.pets.find(other as PetId), undefined, `${other}`)
    }),
  ...walkLaws('pets', 'pet', (store) => ({
    insert: (name) => addPet(store, aPet(name)),
    page: (after, limit) => pageOf(store, after as PetId | undefined, limit),
  })),
  law('16 concurrent inserts return 16 different pet IDs')
    .protects('Each id identifies one pet.')
    .check(async (store) => {
      const ids = await race((caller) => addPet(store, aPet(`Rex ${caller}`)))
      assert.equal(new Set(ids).size, 16)
      for (const [caller, id] of ids.entries())
        assert.equal((await store.pets.find(id))?.name, `Rex ${caller}`)
    }),
  law('`next` is present if and only if more pets follow')
    .protects('A client that follows the pages neither stops early nor makes an unnecessary request.')
    .check(async (store) => {
      for (const after of [undefined, NO_PET])
        assert.deepEqual(await store.pets.page(after, pageLimitOf(20)), { pets: [] })
      const ids = await eachInOrder(numbersBelow(14), (number) => addPet(store, aPet(`Rex ${number}`)))
      const [first, full] = [await pageOf(store, undefined, 7), await pageOf(store, ids[6], 7)]
      assert.deepEqual([first.ids, full.ids], [ids.slice(0, 7), ids.slice(7)])
      assert.notEqual(first.next, undefined)
      assert.ok(!('next' in full.page), 'next is absent on a full last page')
      assert.ok(
        !('next' in (await pageOf(store, undefined, 14)).page),
        'next is absent if one page holds all pets',
      )
      assert.ok(
        !('next' in (await pageOf(store, undefined, 15)).page),
        'next is absent on a page that is not full',
      )
      assert.deepEqual((await pageOf(store, ids[13], 7)).page, { pets: [] })
      assert.ok('next' in (await pageOf(store, undefined, 13)).page, 'next is present if one pet follows')
    }),
  law('findMany returns each existing pet with a given ID exactly once, in ascending order of ID')
    .protects('A request for specific pets returns only these pets, in the same order as a list.')
    .check(async (store) => {
      const ids = await addPets(store, 5)
      const [first, second, third, , last] = ids as [PetId, PetId, PetId, PetId, PetId]
      const found = async (...some: readonly PetId[]) =>
        (await store.pets.findMany(some)).map((pet: Pet | undefined) => pet?.id)
      assert.deepEqual(await found(last, first, third), [first, third, last])
      assert.deepEqual(await found(second, second, first, second), [first, second])
      assert.deepEqual(await found(NO_PET, third, Number.MAX_SAFE_INTEGER as PetId), [third])
      assert.deepEqual(await found(NO_PET), [])
      assert.deepEqual(await found(), [])
    }),
  law('pages and findMany return up to 100 pets exactly as find returns them')
    .protects('A list shows the same data about a pet as a single read.')
    .check(async (store) => {
      const rex = await addPet(store, { name: 'Rex' as PetName, tag: 'big' as PetTag, category: 'One' })
      const mia = await addPet(store, aPet('Mia'))
      const ids = await addPets(store, 98)
      await store.pets.patch(rex, { kind: 'dog', bark: false })
      const pets = await store.pets.findMany([mia, rex, ...ids])
      assert.equal(pets.length, 100)
      assert.deepEqual(pets.slice(0, 2), [await store.pets.find(rex), await store.pets.find(mia)])
      assert.deepEqual((await store.pets.page(undefined, pageLimitOf(100))).pets, pets)
    }),
  law('strings are stored unchanged')
    .protects('Text is stored unchanged and never executed as a command.')
    .check(async (store) => {
      for (const text of AWKWARD_STRINGS) {
        const id = await addPet(store, { name: text as PetName, tag: text as PetTag })
        await store.pets.patch(id, { kind: 'dog', breed: text as Breed })
        const pet = await store.pets.find(id)
        const traits = { kind: 'dog', breed: text }
        assert.deepEqual(pet, { name: text, tag: text, id, revision: 2, traits })
      }
      assert.equal((await pageOf(store, undefined, 100)).ids.length, AWKWARD_STRINGS.length)
    }),
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

async function addPets(store: Store, count: number): Promise<readonly PetId[]> {
  const names = numbersBelow(count).map((index) => `Rex ${index}`)
  const ids = await Promise.all(names.map((name) => addPet(store, aPet(name))))
  return ids.sort((left, right) => left - right)
}

async function pageOf(store: Store, after: PetId | undefined, limit: number) {
  const page = await store.pets.page(after, pageLimitOf(limit))
  return { page, ids: page.pets.map((pet) => pet.id), next: page.next }
}

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
