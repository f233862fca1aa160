import assert from 'node:assert/strict'
import type { PetId, Revision, Age } from '../../domain/catalogue/pet.js'
import type { Store } from '../../ports/store.js'
import { addPet } from '../arrangements.js'
import { assertRace, eachInOrder, numbersBelow, race, tally, lawOf, type Law } from '../law.js'
import { anIdempotency, aPet, DAY, NOW, pageLimitOf, NO_PET } from '../samples.js'
import { assertAscending, walk } from '../walks.js'
import { catalogue, addWithKey } from './pets.js'

const law = lawOf('pets')
const revisions = (...numbers: readonly number[]) => numbers as readonly Revision[]
const FIRST = revisions(1)
const END = NOW + DAY

/** Contract tests for the removal of pets. */
export const petRemovalLaws: readonly Law[] = [
  law('no read method returns a removed pet')
    .protects('A deleted pet is not shown again.')
    .check(async (store) => {
      const [first, second, third] = await addPets(store, 3)
      assert.equal((await store.pets.findMany([third, second, first])).length, 3)
      assert.equal(await store.pets.remove(second), 'removed')
      assert.equal(await store.pets.find(second), undefined)
      assert.deepEqual(idsOf(await store.pets.findMany([third, second, first])), [first, third])
      assert.deepEqual(await catalogue(store), [first, third])
      assert.deepEqual(idsOf((await store.pets.page(first, pageLimitOf(10))).pets), [third])
      assert.ok(
        !('next' in (await store.pets.page(undefined, pageLimitOf(2)))),
        'a removed pet does not count towards the page limit',
      )
    }),
  law('the ID of a removed pet is never reused')
    .protects('A link to a removed pet never leads to another pet.')
    .check(async (store) => {
      const ids = await addPets(store, 2)
      const keyed = await addWithKey(store)
      for (const id of [keyed, ...ids].toReversed()) assert.equal(await store.pets.remove(id), 'removed')
      assert.deepEqual(await catalogue(store), [])
      assert.ok((await addPet(store, aPet('Mia'))) > keyed, 'the next id is greater than every earlier id')
    }),
  law('remove returns `unknown` for an unknown pet')
    .protects('A second removal is not reported as a success.')
    .check(async (store) => {
      const [first, second] = await addPets(store, 2)
      assert.equal(await store.pets.remove(first), 'removed')
      for (const id of [first, NO_PET]) {
        assert.equal(await store.pets.remove(id), 'unknown')
        assert.equal(await store.pets.remove(id, FIRST), 'unknown')
      }
      assert.deepEqual(await store.pets.patch(first, { kind: 'cat', hunts: true }), { kind: 'unknown' })
      assert.deepEqual(await catalogue(store), [second])
    }),
  law('remove with an expected revision deletes a pet only if the pet has that revision')
    .protects('A client cannot remove a pet that has changed since it was read.')
    .check(async (store) => {
      const ids = [await addPet(store, aPet('Rex')), await addWithKey(store)]
      for (const id of ids) {
        await store.pets.patch(id, { kind: 'cat', hunts: true })
        for (const expected of [FIRST, revisions(3), revisions(1, 3, 4), revisions()])
          assert.equal(await store.pets.remove(id, expected), 'stale', expected.join())
        assert.equal((await store.pets.find(id))?.revision, 2)
        assert.equal(await store.pets.remove(id, revisions(7, 2, 9)), 'removed')
        assert.equal(await store.pets.find(id), undefined)
      }
    }),
  law('removing a pet does not change when its idempotency key expires')
    .protects('A client that retries its request after the removal does not create the pet again.')
    .check(async (store) => {
      const id = await addWithKey(store)
      assert.equal(await store.pets.remove(id), 'removed')
      const again = anIdempotency({ at: END - 1, until: END + DAY })
      assert.deepEqual(await store.pets.insert(aPet('Rex'), again), { kind: 'repeated', id })
      const other = anIdempotency({ fingerprint: 'f-2' })
      assert.deepEqual(await store.pets.insert(aPet('Rex'), other), { kind: 'key-reused' })
      const late = await store.pets.insert(aPet('Rex'), anIdempotency({ at: END, until: END + DAY }))
      assert.ok(late.kind === 'inserted' && late.id > id, 'the key can be reused once it has expired')
      assert.deepEqual(await catalogue(store), [late.id])
    }),
  law('purge also removes the idempotency keys of removed pets')
    .protects('The store does not keep data of removed pets.')
    .check(async (store) => {
      const id = await addWithKey(store)
      await addWithKey(store, { key: 'key-2' })
      await store.pets.remove(id)
      assert.equal(await store.pets.purgeIdempotencyKeys(END - 1, 10), 0)
      assert.equal(await store.pets.purgeIdempotencyKeys(END, 10), 2)
      assert.equal(await store.pets.purgeIdempotencyKeys(END, 10), 0)
      const free = await store.pets.insert(aPet('Rex'), anIdempotency())
      assert.ok(
        free.kind === 'inserted' && free.id > id,
        'the key of the removed pet can be reused, but the id cannot',
      )
    }),
  law('exactly one of 16 concurrent removals that expect the same revision succeeds')
    .protects('Only the client that removed the pet gets a success response.')
    .inRounds(async (store, round) => {
      for (const id of [await addPet(store, aPet('Rex')), await addWithKey(store, { key: `key-${round}` })])
        await assertRace({ removed: 1, unknown: 15 }, () => store.pets.remove(id, FIRST))
    }),
  law('exactly one of 16 concurrent removals and patches that expect the same revision succeeds')
    .protects(
      'No client removes a pet that has changed since the client read it, and no change undoes a removal.',
    )
    .inRounds(async (store, round) => {
      for (const id of [await addPet(store, aPet('Rex')), await addWithKey(store, { key: `key-${round}` })]) {
        const answers = await race(async (caller) =>
          caller % 2 === 0
            ? await store.pets.remove(id, FIRST)
            : (await store.pets.patch(id, { kind: 'cat', age: caller as Age }, FIRST)).kind,
        )
        const pet = await store.pets.find(id)
        const expected = pet ? { patched: 1, stale: 15 } : { removed: 1, unknown: 15 }
        assert.deepEqual(tally(answers), expected)
        if (pet) assert.equal(pet.revision, 2)
      }
    }),
  law('concurrent requests with the idempotency key of a pet that is being removed create no second pet')
    .protects('A repeated request creates no second pet, even while the first pet is being removed.')
    .inRounds(async (store, round) => {
      const key = `key-${round}`
      const id = await addWithKey(store, { key })
      await assertRace({ removed: 1, repeated: 15 }, async (caller) => {
        if (caller === 7) return { kind: await store.pets.remove(id), id }
        return await store.pets.insert(aPet('Rex'), anIdempotency({ key }))
      })
      assert.deepEqual(await catalogue(store), [])
    }),
  law('pages that are read while pets are removed list each remaining pet once')
    .protects('A list can be read to its end while other clients delete pets.')
    .check(async (store) => {
      const ids = await addPets(store, 30)
      const kept = ids.filter((_, index) => index % 3 !== 1)
      const removed = ids.filter((id) => !kept.includes(id))
      const seen = await walk<PetId>(async (after) => {
        const { pets, next } = await store.pets.page(after, pageLimitOf(3))
        // Removes a pet that has not been read yet, and a pet on an earlier page (in some rounds, the last pet on
        // that page).
        for (const id of [removed.pop(), removed.shift()]) if (id !== undefined) await store.pets.remove(id)
        return { ids: idsOf(pets), next }
      })
      assertAscending(seen)
      const shown = seen.filter((id) => kept.includes(id))
      assert.deepEqual(shown, kept)
      assert.deepEqual(await catalogue(store), kept)
    }),
]

async function addPets(store: Store, count: number): Promise<[PetId, PetId, PetId, ...PetId[]]> {
  const ids = await eachInOrder(numbersBelow(count), (number) => addPet(store, aPet(`Rex ${number}`)))
  return ids as [PetId, PetId, PetId, ...PetId[]]
}

function idsOf(pets: readonly { readonly id: PetId }[]): readonly PetId[] {
  return pets.map(({ id }) => id)
}
