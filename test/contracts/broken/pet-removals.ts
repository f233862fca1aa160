import type { PetId } from '../../../src/domain/catalogue/pet.js'
import type { PetRemoval, Pets, Idempotency, PetInsertion } from '../../../src/ports/pets.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('pets')
const ID = 'the id of a removed pet is never given again'
const WALK = 'a walk while pets are removed shows each that stays, once'
const FINGERPRINT = 'an idempotency key with another fingerprint is refused'
const LIMIT = 'purge of idempotency keys stops at its limit'
const KEY_COPIES = 'changing an idempotency key that was passed in changes nothing'
const PURGE_REMOVED = 'purge removes the idempotency keys of removed pets too'
const RACE_OVER = 'of 16 inserts with one idempotency key that is over exactly one makes a pet'
const RACE_OF_TWO = 'of two requests racing for one idempotency key one is made and the other refused'
const GONE = 'a removed pet is gone from every read'
const UNKNOWN = 'remove of a pet that is not there says so'
const EXPECTED = 'remove takes a pet away only at an expected revision'
const KEY = 'the idempotency key of a removed pet lasts as long as without the removal'
const ONE = 'of 16 removals that expect one revision at once exactly one is made'
const MIXED = 'of 16 removals and patches that expect one revision at once exactly one is made'
const BESIDE = 'a removal beside 16 requests with the idempotency key of the pet lets none make another'
const AGAIN = 'the same idempotency key and fingerprint again make nothing'
const OVER = 'an idempotency key is free again from its end on'
const RACE = 'of 16 inserts with one idempotency key at once exactly one makes a pet'
const PURGE = 'purge removes the idempotency keys that are over'

export const brokenPetRemovals: readonly Breakage[] = [
  broken('remove does nothing', [GONE], () => ({ remove: async () => 'removed' as const })),
  broken('ids go on behind the last pet that is there', [ID], (inner) => {
    let removed = 0
    return {
      remove: counting(inner, () => (removed += 1)),
      async insert(draft, key) {
        const answer = await inner.insert(draft, key)
        return answer.kind === 'inserted' ? { ...answer, id: (answer.id - removed) as PetId } : answer
      },
    }
  }),
  broken('remove is always made', [UNKNOWN], (inner) => ({
    async remove(id, expected) {
      const answer = await inner.remove(id, expected)
      return answer === 'unknown' ? 'removed' : answer
    },
  })),
  broken('remove does not compare', [EXPECTED], (inner) => ({ remove: (id) => inner.remove(id) })),
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
  broken('the idempotency key of a removed pet binds for ever', [KEY, PURGE_REMOVED], (inner) => {
    let removed = false
    return {
      remove: counting(inner, () => (removed = true)),
      insert: (draft, key) => inner.insert(draft, key && (removed ? { ...key, at: 0 } : key)),
      purgeIdempotencyKeys: async (at, limit) => (removed ? 0 : await inner.purgeIdempotencyKeys(at, limit)),
    }
  }),
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
  broken('pages are counted from the first pet', [WALK], (inner) => {
    let removed = 0
    return {
      remove: counting(inner, () => (removed += 1)),
      page: (after, limit) => inner.page(after && ((after + removed) as PetId), limit),
    }
  }),
  broken('idempotency keys are not looked at', [AGAIN, RACE], (inner) => ({
    insert: (draft) => inner.insert(draft),
  })),
  broken('fingerprints are not compared', [FINGERPRINT], (inner) => ({
    insert: (draft, key) => inner.insert(draft, key && { ...key, fingerprint: '' }),
  })),
  broken('all clients share one scope', ['scopes of idempotency keys are apart'], (inner) => ({
    insert: (draft, key) => inner.insert(draft, key && { ...key, scope: '' }),
  })),
  broken('the end of an idempotency key is counted in', [OVER], (inner) => ({
    insert: (draft, key) => inner.insert(draft, key && { ...key, at: key.at - 1 }),
  })),
  broken('purge of idempotency keys removes nothing', [PURGE], () => ({
    purgeIdempotencyKeys: async () => 1,
  })),
  broken('purge of idempotency keys knows no limit', [LIMIT], (inner) => ({
    purgeIdempotencyKeys: (at) => inner.purgeIdempotencyKeys(at, Infinity),
  })),
  broken('an idempotency key is looked up, then written', [RACE, RACE_OVER, RACE_OF_TWO], (inner) => {
    const spent = new Map<string, { readonly key: Idempotency; readonly answer: PetInsertion }>()
    return {
      async insert(draft, key) {
        const found = key && spent.get(key.key)
        if (!key || (found && key.at < found.key.until)) return await inner.insert(draft, key)
        await everybodyElse()
        const answer = await inner.insert(draft)
        spent.set(key.key, { key, answer })
        return answer
      },
    }
  }),
  broken('an idempotency key is kept as it was passed in', [KEY_COPIES], (inner) => {
    const kept = new Map<string, Idempotency>()
    return {
      async insert(draft, key) {
        const found = key && kept.get(key.key)
        if (key && !found) kept.set(key.key, key)
        return found && found.fingerprint !== key.fingerprint
          ? { kind: 'key-reused' }
          : await inner.insert(draft, key)
      },
    }
  }),
]

/** Tells of each removal that was made. */
function counting(inner: Pets, tell: () => unknown): Pets['remove'] {
  return async (id, expected): Promise<PetRemoval> => {
    const answer = await inner.remove(id, expected)
    if (answer === 'removed') tell()
    return answer
  }
}
