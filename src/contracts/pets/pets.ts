import assert from 'node:assert/strict'
import type { Pet, PetDraft, PetId, PetName, PetTag } from '../../domain/catalogue/pet.js'
import type { Breed } from '../../domain/catalogue/traits.js'
import type { Store } from '../../ports/store.js'
import { addPet } from '../arrangements.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aPet, AWKWARD_TEXTS, pageLimitOf, NO_PET } from '../samples.js'
import { tamperWith } from '../tamper.js'
import { walkLaws, assertAscending } from '../walks.js'

const law = lawOf('pets')

export const petLaws: readonly Law[] = [
  law('a pet is found as it was inserted, at revision 1')
    .protects('What was created is what is read.')
    .check(async (store) => {
      const whole: PetDraft = { name: 'Rex' as PetName, tag: 'big' as PetTag, category: 'Two' }
      const id = await addPet(store, whole)
      assert.ok(Number.isSafeInteger(id) && id > 0, 'the id is a positive integer')
      assert.deepEqual(await store.pets.find(id), { ...whole, id, revision: 1 })
      const bare = await addPet(store, aPet('Mia'))
      assert.deepEqual(await store.pets.find(bare), { name: 'Mia', id: bare, revision: 1 })
    }),
  law('a pet that is not there is undefined')
    .protects('An unknown id is an answer, not an error.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Rex'))
      for (const other of [id + 1, id - 1, NO_PET, Number.MAX_SAFE_INTEGER])
        assert.equal(await store.pets.find(other as PetId), undefined, `${other}`)
    }),
  law('ids increase from one acknowledged pet to the next')
    .protects('A walk over the pages misses none that was there when it began.')
    .check(async (store) => {
      const ids: PetId[] = []
      for (const name of ['Rex', 'Mia', 'Ada', 'Bo']) ids.push(await addPet(store, aPet(name)))
      assertAscending(ids)
    }),
  ...walkLaws('pets', 'pet', (store) => ({
    insert: (name) => addPet(store, aPet(name)),
    page: (after, limit) => pageOf(store, after as PetId | undefined, limit),
  })),
  law('16 pets made at once have 16 ids')
    .protects('An id names one pet.')
    .check(async (store) => {
      const ids = await race((caller) => addPet(store, aPet(`Rex ${caller}`)))
      assert.equal(new Set(ids).size, 16)
      for (const [caller, id] of ids.entries())
        assert.equal((await store.pets.find(id))?.name, `Rex ${caller}`)
      const later = await addPet(store, aPet('Mia'))
      assert.ok(
        ids.every((id) => id < later),
        'a pet made after all of them has the greatest id',
      )
    }),
  law('a catalogue without pets has one page without any')
    .protects('A new service answers.')
    .check(async (store) => {
      assert.deepEqual(await store.pets.page(undefined, pageLimitOf(20)), { pets: [] })
      assert.deepEqual(await store.pets.page(NO_PET, pageLimitOf(20)), { pets: [] })
    }),
  law('next is there exactly where more pets follow')
    .protects('A client that follows it neither stops early nor runs in vain.')
    .check(async (store) => {
      const ids: PetId[] = []
      for (let number = 1; number <= 14; number += 1) ids.push(await addPet(store, aPet(`Rex ${number}`)))
      const [first, full] = [await pageOf(store, undefined, 7), await pageOf(store, ids[6], 7)]
      assert.deepEqual([first.ids, full.ids], [ids.slice(0, 7), ids.slice(7)])
      assert.notEqual(first.next, undefined)
      assert.ok(!('next' in full.page), 'absent on a last page that is full')
      assert.ok(!('next' in (await pageOf(store, undefined, 14)).page), 'absent where one page holds all')
      assert.ok(!('next' in (await pageOf(store, undefined, 15)).page), 'absent on a page that is not full')
      assert.deepEqual((await pageOf(store, ids[13], 7)).page, { pets: [] })
      assert.ok('next' in (await pageOf(store, undefined, 13)).page, 'there for one last pet')
    }),
  law('pages hold up to 100 pets')
    .protects('The greatest page that clients may ask for is whole.')
    .check(async (store) => {
      const ids = await addPets(store, 101)
      const first = await pageOf(store, undefined, 100)
      assert.deepEqual(first.ids, ids.slice(0, 100))
      assert.deepEqual((await pageOf(store, first.next, 100)).ids, ids.slice(100))
    }),
  ...[1, 7, 100].map((limit) =>
    law(`a walk at limit ${limit} while pets are added shows every older pet once, ascending`)
      .protects('A list that is being added to can be read to its end.')
      .check(async (store) => {
        const older = await addPets(store, 30)
        const seen = await walk(store, limit, 10)
        assertAscending(seen)
        const missing = older.filter((id) => !seen.includes(id))
        assert.deepEqual(missing, [], 'none left out')
      }),
  ),
  law('a page shows pets as find does')
    .protects('The list and the single pet do not contradict each other.')
    .check(async (store) => {
      const id = await addPet(store, { name: 'Rex' as PetName, tag: 'big' as PetTag, category: 'One' })
      await addPet(store, aPet('Mia'))
      await store.pets.patch(id, { kind: 'dog', bark: false })
      const { pets } = await store.pets.page(undefined, pageLimitOf(10))
      const found: (Pet | undefined)[] = []
      for (const pet of pets) found.push(await store.pets.find(pet.id))
      assert.equal(pets.length, 2)
      assert.deepEqual(pets, found)
    }),
  law('findMany gives those pets that are there, ascending, each once')
    .protects('A request for certain pets gets no others, and gets them in the order of the pages.')
    .check(async (store) => {
      const ids = await addPets(store, 5)
      const [first, second, third, , last] = ids as [PetId, PetId, PetId, PetId, PetId]
      const namesOf = async (...some: readonly PetId[]) =>
        (await store.pets.findMany(some)).map((pet: Pet | undefined) => pet?.id)
      assert.deepEqual(await namesOf(last, first, third), [first, third, last])
      assert.deepEqual(await namesOf(second, second, first, second), [first, second])
      assert.deepEqual(await namesOf(NO_PET, third, Number.MAX_SAFE_INTEGER as PetId), [third])
      assert.deepEqual(await namesOf(NO_PET), [])
      assert.deepEqual(await namesOf(), [])
    }),
  law('findMany shows up to 100 pets as find does')
    .protects('The list and the single pet do not contradict each other.')
    .check(async (store) => {
      const ids = await addPets(store, 98)
      const rex = await addPet(store, { name: 'Rex' as PetName, tag: 'big' as PetTag, category: 'One' })
      const mia = await addPet(store, aPet('Mia'))
      await store.pets.patch(rex, { kind: 'dog', bark: false })
      const pets = await store.pets.findMany([mia, rex, ...ids])
      assert.equal(pets.length, 100)
      assert.deepEqual(pets.slice(98), [await store.pets.find(rex), await store.pets.find(mia)])
    }),
  law('texts are kept exactly')
    .protects('No text is changed or taken for a command.')
    .check(async (store) => {
      for (const text of AWKWARD_TEXTS) {
        const id = await addPet(store, { name: text as PetName, tag: text as PetTag })
        await store.pets.patch(id, { kind: 'dog', breed: text as Breed })
        const pet = await store.pets.find(id)
        const traits = { kind: 'dog', breed: text }
        assert.deepEqual(pet, { name: text, tag: text, id, revision: 2, traits })
      }
      assert.equal((await pageOf(store, undefined, 100)).ids.length, AWKWARD_TEXTS.length)
    }),
  law('changing what was passed in or handed out changes nothing in the store')
    .protects('A caller that reuses an object does not write to the catalogue by accident.')
    .check(async (store) => {
      const draft: PetDraft = { name: 'Rex' as PetName, tag: 'big' as PetTag }
      const change = { kind: 'dog', breed: 'Collie' as Breed } as const
      const id = await addPet(store, draft)
      const answer = await store.pets.patch(id, change)
      const expected = structuredClone(await store.pets.find(id))
      for (const value of [draft, change, answer]) tamperWith(value)
      tamperWith(await store.pets.find(id))
      tamperWith(await store.pets.page(undefined, pageLimitOf(10)))
      tamperWith(await store.pets.findMany([id]))
      assert.deepEqual(expected?.traits, { kind: 'dog', breed: 'Collie' })
      assert.deepEqual(await store.pets.find(id), expected)
      assert.deepEqual((await store.pets.page(undefined, pageLimitOf(10))).pets, [expected])
      assert.deepEqual(await store.pets.findMany([id]), [expected])
    }),
]

async function addPets(store: Store, count: number): Promise<readonly PetId[]> {
  const names = Array.from({ length: count }, (_, index) => `Rex ${index}`)
  const ids = await Promise.all(names.map((name) => addPet(store, aPet(name))))
  return ids.sort((left, right) => left - right)
}

async function pageOf(store: Store, after: PetId | undefined, limit: number) {
  const page = await store.pets.page(after, pageLimitOf(limit))
  return { page, ids: page.pets.map((pet) => pet.id), next: page.next }
}

/** The ids of all pages; after each of the first pages one more pet is made. */
async function walk(store: Store, limit: number, additions: number): Promise<readonly PetId[]> {
  const seen: PetId[] = []
  let after: PetId | undefined
  for (let pages = 1; pages <= 200; pages += 1) {
    const { ids, next } = await pageOf(store, after, limit)
    assert.ok(ids.length <= limit, 'no page is longer than its limit')
    seen.push(...ids)
    if (pages <= additions) await addPet(store, aPet(`New ${pages}`))
    if (next === undefined) return seen
    after = next
  }
  return assert.fail('the walk does not end')
}
