import type { PetId } from '../../../../src/domain/catalogue/pet.js'
import type { PetRemoval, Pets } from '../../../../src/ports/pets.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('pets')
const GONE = 'a removed pet is gone from every read'
const UNKNOWN = 'remove of a pet that is not there says so'
const EXPECTED = 'remove takes a pet away only at an expected revision'
const KEY = 'the idempotency key of a removed pet lasts as long as without the removal'
const ONE = 'of 16 removals that expect one revision at once exactly one is made'
const MIXED = 'of 16 removals and patches that expect one revision at once exactly one is made'
const BESIDE = 'a removal beside 16 requests with the idempotency key of the pet lets none make another'

export const brokenPetRemovals: readonly Breakage[] = [
  broken('remove does nothing', [GONE], () => ({ remove: async () => 'removed' as const })),
  broken('a removed pet is still on the pages', [GONE], (inner) => {
    const removed: PetId[] = []
    return {
      remove: async (id) => ((await inner.find(id)) && removed.push(id) ? 'removed' : 'unknown'),
      find: async (id) => (removed.includes(id) ? undefined : await inner.find(id)),
    }
  }),
  broken(
    'ids go on behind the last pet that is there',
    ['the id of a removed pet is never given again'],
    (inner) => {
      let removed = 0
      return {
        remove: counting(inner, () => (removed += 1)),
        async insert(draft, key) {
          const answer = await inner.insert(draft, key)
          return answer.kind === 'inserted' ? { ...answer, id: (answer.id - removed) as PetId } : answer
        },
      }
    },
  ),
  broken('remove is always made', [UNKNOWN], (inner) => ({
    async remove(id, expected) {
      const answer = await inner.remove(id, expected)
      return answer === 'unknown' ? 'removed' : answer
    },
  })),
  broken('what is not there is stale', [UNKNOWN], (inner) => ({
    async remove(id, expected) {
      const answer = await inner.remove(id, expected)
      return answer === 'unknown' && expected ? 'stale' : answer
    },
  })),
  broken('remove does not compare', [EXPECTED], (inner) => ({ remove: (id) => inner.remove(id) })),
  broken('remove compares with the first of the list', [EXPECTED], (inner) => ({
    remove: (id, expected) => inner.remove(id, expected?.slice(0, 1)),
  })),
  broken('a removal frees the idempotency key', [KEY, BESIDE], (inner) => {
    let removed = 0
    return {
      remove(id, expected) {
        removed += 1
        return inner.remove(id, expected)
      },
      insert: (draft, key) => inner.insert(draft, key && { ...key, scope: `${key.scope} ${removed}` }),
    }
  }),
  broken(
    'the idempotency key of a removed pet binds for ever',
    [KEY, 'purge removes the idempotency keys of removed pets too'],
    (inner) => {
      let removed = false
      return {
        remove: counting(inner, () => (removed = true)),
        insert: (draft, key) => inner.insert(draft, key && (removed ? { ...key, at: 0 } : key)),
        purgeIdempotencyKeys: async (at, limit) =>
          removed ? 0 : await inner.purgeIdempotencyKeys(at, limit),
      }
    },
  ),
  broken('remove compares, then removes', [ONE, MIXED], (inner) => ({
    async remove(id, expected) {
      const pet = await inner.find(id)
      if (!pet) return 'unknown'
      if (expected && !expected.includes(pet.revision)) return 'stale'
      await everybodyElse()
      await inner.remove(id)
      return 'removed'
    },
  })),
  broken(
    'pages are counted from the first pet',
    ['a walk while pets are removed shows each that stays, once'],
    (inner) => {
      let removed = 0
      return {
        remove: counting(inner, () => (removed += 1)),
        page: (after, limit) => inner.page(after && ((after + removed) as PetId), limit),
      }
    },
  ),
]

/** Tells of each removal that was made. */
function counting(inner: Pets, tell: () => unknown): Pets['remove'] {
  return async (id, expected): Promise<PetRemoval> => {
    const answer = await inner.remove(id, expected)
    if (answer === 'removed') tell()
    return answer
  }
}
