import assert from 'node:assert/strict'
import type {
  Pet,
  PetDraft,
  PetId,
  PetName,
  PetTag,
  Revision,
  Age,
  Breed,
  Traits,
  TraitsChange,
} from '../../domain/catalogue/pet.js'
import type { Store } from '../../ports/store.js'
import { addPet } from '../arrangements.js'
import { assertRace, inRounds, numbersBelow, race, lawOf, type Law } from '../law.js'
import { aPet, NO_PET } from '../samples.js'

const law = lawOf('pets')
const HUNTS = { kind: 'cat', hunts: true } as const
const CAT = { ...HUNTS, age: 3 as Age } as const

/** Contract tests for changes to a pet, and for the revision that a change expects. */
export const petPatchLaws: readonly Law[] = [
  law('patch merges the new traits into the old traits if both belong to the same kind of pet')
    .protects('Changing one trait does not change the other traits.')
    .check(async (store) => {
      await assertPatches(store, [{ kind: 'cat', age: 3 as Age }], [HUNTS, CAT])
      const dog = { kind: 'dog', bark: true, breed: 'Collie' as Breed } as const
      const pug = { kind: 'dog', breed: 'Pug' as Breed } as const
      await assertPatches(store, [dog], [pug, { ...dog, ...pug }])
    }),
  law('patch preserves false and zero')
    .protects('The traits "age 0" and "does not hunt" of a newborn cat are kept.')
    .check(async (store) => {
      await assertPatches(store, [{ kind: 'cat', age: 0 as Age, hunts: false }])
      await assertPatches(store, [{ kind: 'dog', bark: false }])
    }),
  law('patch with traits of the other kind of pet replaces the old traits')
    .protects('No pet has both cat traits and dog traits.')
    .check(async (store) => {
      await assertPatches(store, [CAT], [{ kind: 'dog', bark: true }], [HUNTS])
    }),
  law('a patch with null removes the trait')
    .protects('A wrong trait can be removed completely.')
    .check(async (store) => {
      const ageless = { kind: 'cat', age: null } as const
      await assertPatches(store, [ageless, undefined], [CAT], [ageless, HUNTS], [ageless, HUNTS])
      const older = { kind: 'cat', age: 4 as Age } as const
      await assertPatches(store, [HUNTS], [{ ...older, hunts: null }, older])
      const dog = { kind: 'dog', bark: true } as const
      await assertPatches(store, [{ ...dog, breed: 'Pug' as Breed }], [{ kind: 'dog', breed: null }, dog])
    }),
  law('a pet has no traits after its last trait is removed')
    .protects('A pet without traits is like a new pet, and can get traits of either kind.')
    .check(async (store) => {
      const id = await assertPatches(store, [CAT], [{ kind: 'cat', age: null, hunts: null }, undefined])
      assert.deepEqual(await store.pets.find(id), { name: 'Mia', id, revision: 3 })
      assert.deepEqual(await patched(store, id, { kind: 'dog', bark: true }), { kind: 'dog', bark: true })
    }),
  law('patch that only removes traits of the other kind of pet changes nothing')
    .protects('Removing an absent trait changes no trait.')
    .check(async (store) => {
      const pug = { kind: 'dog', breed: 'Pug' as Breed } as const
      const steps = [
        [{ kind: 'dog', bark: null, breed: null }, HUNTS],
        [{ ...pug, bark: null }, pug],
      ] as const
      await assertPatches(store, [HUNTS], ...steps)
    }),
  law('patch increases the revision by one and changes only the traits')
    .protects('Changing the traits never changes the name.')
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
  law('patch of an unknown pet returns `unknown`')
    .protects('Patching an unknown pet does not create it.')
    .check(async (store) => {
      assert.deepEqual(await store.pets.patch(NO_PET, HUNTS), { kind: 'unknown' })
      assert.deepEqual(await store.pets.patch(NO_PET, HUNTS, [1 as Revision]), { kind: 'unknown' })
      assert.equal(await store.pets.find(NO_PET), undefined)
    }),
  law('patch with an expected revision writes only if the pet has that revision')
    .protects('A client cannot overwrite a change that it has not seen.')
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
  law('exactly one of 16 concurrent patches that expect the same revision succeeds')
    .protects('The other editors learn that the pet has changed.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      await inRounds(async (round) => {
        const answers = await assertRace({ patched: 1, stale: 15 }, (caller) =>
          store.pets.patch(id, { kind: 'cat', age: caller as Age }, revisions(round)),
        )
        const winner = answers.findIndex((answer) => answer.kind === 'patched')
        const pet = await store.pets.find(id)
        assert.deepEqual([pet?.revision, pet?.traits], [round + 1, { kind: 'cat', age: winner }])
      })
    }),
  law('16 concurrent patches without an expected revision all take effect')
    .protects('Clients that change different traits concurrently all succeed.')
    .check(async (store) => {
      const id = await addPet(store, aPet('Mia'))
      const answers = await race((caller) =>
        store.pets.patch(id, caller % 2 === 0 ? HUNTS : { kind: 'cat', age: 7 as Age }),
      )
      const seen = answers.map((answer) => (answer.kind === 'patched' ? answer.pet.revision : 0))
      assert.deepEqual(
        seen.sort((left, right) => left - right),
        numbersBelow(16).map((index) => index + 2),
      )
      const pet = await store.pets.find(id)
      assert.deepEqual([pet?.revision, pet?.traits], [17, { kind: 'cat', age: 7, hunts: true }])
    }),
]

function revisions(...numbers: readonly number[]): readonly Revision[] {
  return numbers as readonly Revision[]
}

type Step = readonly [change: TraitsChange, expected?: Traits | undefined]

/** Applies each change to a new pet, and asserts the resulting traits; without `expected`, the result must equal the change. */
async function assertPatches(store: Store, ...steps: readonly Step[]): Promise<PetId> {
  const id = await addPet(store, aPet('Mia'))
  for (const step of steps) {
    const [change, expected = step.length === 1 ? change : undefined] = step
    assert.deepEqual(await patched(store, id, change), expected)
  }
  return id
}

/** Applies a patch, which must succeed, asserts that the next read returns the same pet, and returns its traits. */
async function patched(store: Store, id: PetId, change: TraitsChange, expected?: readonly Revision[]) {
  const answer = await store.pets.patch(id, change, expected)
  assert.ok(answer.kind === 'patched', `the result is ${answer.kind}`)
  assert.deepEqual(await store.pets.find(id), answer.pet)
  return answer.pet.traits
}
