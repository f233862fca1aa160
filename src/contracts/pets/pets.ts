import assert from 'node:assert/strict'
import type { Pet, PetDraft, PetId, PetName, PetTag, Breed } from '../../domain/catalogue/pet.js'
import type { Store } from '../../ports/store.js'
import { addPet } from '../arrangements.js'
import { eachInOrder, numbersBelow, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aPet, AWKWARD_STRINGS, pageLimitOf, NO_PET } from '../samples.js'
import { walkLaws } from '../walks.js'

const law = lawOf('pets')

/** Contract tests for inserting, finding and listing pets. */
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
