import assert from 'node:assert/strict'
import type { Pet, PetDraft, PetId, PetName, PetTag, Revision } from '../../domain/catalogue/pet.js'
import type { Age, Breed, Traits, TraitsChange } from '../../domain/catalogue/traits.js'
import type { Store } from '../../ports/store.js'
import { addPet } from '../arrangements.js'
import { inRounds, race, tallyKinds } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aPet, NO_PET } from '../samples.js'

const law = lawOf('pets')
const HUNTS: Traits = { kind: 'cat', hunts: true }

export const petPatchLaws: readonly Law[] = [
  law('patch merges within a shape')
    .protects('A change of one trait leaves the other.')
    .check(async (store) => {
      const cat = await addPet(store, aPet('Mia'))
      assert.deepEqual(await patched(store, cat, { kind: 'cat', age: 3 as Age }), { kind: 'cat', age: 3 })
      const both = { kind: 'cat', age: 3, hunts: true }
      assert.deepEqual(await patched(store, cat, HUNTS), both)
      const dog = await addPet(store, aPet('Rex'))
      await patched(store, dog, { kind: 'dog', bark: true, breed: 'Collie' as Breed })
      const changed = { kind: 'dog', bark: true, breed: 'Pug' }
      assert.deepEqual(await patched(store, dog, { kind: 'dog', breed: 'Pug' as Breed }), changed)
    }),
  law('patch keeps false and zero')
    .protects('A newborn cat that does not hunt is not one of unknown age.')
    .check(async (store) => {
      const cat = await addPet(store, aPet('Mia'))
      const newborn = { kind: 'cat', age: 0, hunts: false }
      assert.deepEqual(await patched(store, cat, { kind: 'cat', age: 0 as Age, hunts: false }), newborn)
      const dog = await addPet(store, aPet('Rex'))
      assert.deepEqual(await patched(store, dog, { kind: 'dog', bark: false }), { kind: 'dog', bark: false })
    }),
  law('patch in the other shape replaces the old traits')
    .protects('No pet is half cat and half dog.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      await patched(store, id, { kind: 'cat', age: 3 as Age, hunts: true })
      assert.deepEqual(await patched(store, id, { kind: 'dog', bark: true }), { kind: 'dog', bark: true })
      assert.deepEqual(await patched(store, id, HUNTS), HUNTS)
    }),
  law('patch takes away what is null')
    .protects('A trait that is not true of a pet can be taken back, without a trace.')
    .check(async (store) => {
      const cat = await addPet(store, aPet('Mia'))
      assert.equal(await patched(store, cat, { kind: 'cat', age: null }), undefined)
      await patched(store, cat, { kind: 'cat', age: 3 as Age, hunts: true })
      assert.deepEqual(await patched(store, cat, { kind: 'cat', age: null }), HUNTS)
      assert.deepEqual(await patched(store, cat, { kind: 'cat', age: null }), HUNTS)
      const both = { kind: 'cat', age: 4, hunts: null } as const
      assert.deepEqual(await patched(store, cat, both as TraitsChange), { kind: 'cat', age: 4 })
      const dog = await addPet(store, aPet('Rex'))
      await patched(store, dog, { kind: 'dog', bark: true, breed: 'Pug' as Breed })
      assert.deepEqual(await patched(store, dog, { kind: 'dog', breed: null }), { kind: 'dog', bark: true })
    }),
  law('a pet whose last trait is taken away has no traits')
    .protects('It is as if it had never had any, and may get those of the other shape.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      await patched(store, id, { kind: 'cat', age: 3 as Age, hunts: true })
      await patched(store, id, { kind: 'cat', age: null, hunts: null })
      assert.deepEqual(await store.pets.find(id), { name: 'Mia', id, revision: 3 })
      assert.deepEqual(await patched(store, id, { kind: 'dog', bark: true }), { kind: 'dog', bark: true })
    }),
  law('patch that sets nothing replaces nothing of the other shape')
    .protects('Taking away what is not there changes no trait.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      await patched(store, id, HUNTS)
      assert.deepEqual(await patched(store, id, { kind: 'dog', bark: null, breed: null }), HUNTS)
      const dog = { kind: 'dog', bark: null, breed: 'Pug' as Breed } as const
      assert.deepEqual(await patched(store, id, dog), { kind: 'dog', breed: 'Pug' })
    }),
  law('patch moves the revision by one and nothing but the traits')
    .protects('A name survives every change of traits.')
    .check(async (store) => {
      const draft: PetDraft = { name: 'Mia' as PetName, tag: 'small' as PetTag, category: 'Three' }
      const id = await addPet(store, draft)
      const other = await addPet(store, aPet('Rex'))
      for (const revision of revisions(2, 3)) {
        const expected: Pet = { ...draft, id, revision, traits: HUNTS }
        assert.deepEqual(await store.pets.patch(id, HUNTS), { kind: 'patched', pet: expected })
        assert.deepEqual(await store.pets.find(id), expected)
      }
      assert.deepEqual(await store.pets.find(other), { name: 'Rex', id: other, revision: 1 })
    }),
  law('patch of an unknown pet says so')
    .protects('A pet does not come to be by being changed.')
    .check(async (store) => {
      assert.deepEqual(await store.pets.patch(NO_PET, HUNTS), { kind: 'unknown' })
      assert.deepEqual(await store.pets.patch(NO_PET, HUNTS, [1 as Revision]), { kind: 'unknown' })
      assert.equal(await store.pets.find(NO_PET), undefined)
    }),
  law('patch writes only at an expected revision')
    .protects('No client overwrites a change that it has not seen.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      await patched(store, id, { kind: 'cat', age: 3 as Age }, revisions(1))
      const before = await store.pets.find(id)
      for (const expected of [revisions(1), revisions(3), revisions(1, 3, 4), revisions()])
        assert.deepEqual(await store.pets.patch(id, HUNTS, expected), { kind: 'stale' }, expected.join())
      assert.deepEqual(await store.pets.find(id), before)
      await patched(store, id, HUNTS, revisions(7, 2, 9))
      assert.equal((await store.pets.find(id))?.revision, 3)
    }),
  law('of 16 patches that expect one revision at once exactly one is made')
    .protects('Of two editors one is told to look again.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      await inRounds(async (round) => {
        const answers = await race((caller) =>
          store.pets.patch(id, { kind: 'cat', age: caller as Age }, revisions(round)),
        )
        assert.deepEqual(tallyKinds(answers), { patched: 1, stale: 15 })
        const winner = answers.findIndex((answer) => answer.kind === 'patched')
        const pet = await store.pets.find(id)
        assert.deepEqual([pet?.revision, pet?.traits], [round + 1, { kind: 'cat', age: winner }])
      })
    }),
  law('of 16 patches at once that expect nothing none is lost')
    .protects('Two people who change different traits both succeed.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      const answers = await race((caller) =>
        store.pets.patch(id, caller % 2 === 0 ? HUNTS : { kind: 'cat', age: 7 as Age }),
      )
      const seen = answers.map((answer) => (answer.kind === 'patched' ? answer.pet.revision : 0))
      assert.deepEqual(
        seen.sort((left, right) => left - right),
        Array.from({ length: 16 }, (_, index) => index + 2),
      )
      const pet = await store.pets.find(id)
      assert.deepEqual([pet?.revision, pet?.traits], [17, { kind: 'cat', age: 7, hunts: true }])
    }),
]

function revisions(...numbers: readonly number[]): readonly Revision[] {
  return numbers as readonly Revision[]
}

/** The traits after a patch that must succeed, which the next read confirms. */
async function patched(store: Store, id: PetId, change: TraitsChange, expected?: readonly Revision[]) {
  const answer = await store.pets.patch(id, change, expected)
  assert.ok(answer.kind === 'patched', `the answer is ${answer.kind}`)
  assert.deepEqual(await store.pets.find(id), answer.pet)
  return answer.pet.traits
}
