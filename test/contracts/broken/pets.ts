import type { Pet, PetDraft, PetId, PetName, Revision, PetPage } from '../../../src/domain/catalogue/pet.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { Traits } from '../../../src/domain/catalogue/traits.js'
import {
  breakageOf,
  everybodyElse,
  idsInBlocks,
  nullFor,
  type Breakage,
  StoreError,
  COPIES,
} from './breakage.js'
import type { Pets } from '../../../src/ports/pets.js'

const broken = breakageOf('pets')
const FOUND = 'a pet is found as it was inserted, at revision 1'
const IN_ORDER = 'of pets made at once, one that was begun after another was acknowledged has the greater id'
const WALKS = 'walks beside inserts show every pet that was acknowledged before, ascending and once'
const NOTHING_SET = 'patch that sets nothing replaces nothing of the other shape'
const RACE = 'of 16 patches that expect one revision at once exactly one is made'
const REVISION = 'patch moves the revision by one and nothing but the traits'
const NEXT = 'next is there exactly where more pets follow'
const MERGE = 'patch merges within a shape'
const NULL = 'patch takes away what is null'
const LAST = 'a pet whose last trait is taken away has no traits'
const MANY = 'findMany gives those pets that are there, ascending, each once'
const SHOWN = 'findMany shows up to 100 pets as find does'
const EXPECTED = 'patch writes only at an expected revision'
const LOST = 'of 16 patches at once that expect nothing none is lost'
const walkAt = (limit: number) =>
  `a walk at limit ${limit} while pets are added shows every older pet once, ascending`

export const brokenPets: readonly Breakage[] = [
  broken('a tag that was not given is null', [FOUND], (inner) => ({
    async find(id) {
      const pet = await inner.find(id)
      return pet && ({ tag: null, ...pet } as unknown as Pet)
    },
  })),
  broken('absence is null', ['a pet that is not there is undefined'], (inner) => ({
    find: async (id) => nullFor(await inner.find(id)),
  })),
  broken('ids decrease', ['ids increase from one acknowledged pet to the next'], (inner) => ({
    async insert(draft, idempotency) {
      const answer = await inner.insert(draft, idempotency)
      return answer.kind === 'key-reused' ? answer : { ...answer, id: (1_000 - answer.id) as PetId }
    },
  })),
  broken('each connection has a block of ids', [IN_ORDER], (inner) => {
    const inBlocks = idsInBlocks()
    return { insert: (...inputs) => inBlocks(() => inner.insert(...inputs)) }
  }),
  broken('pages are counted while a smaller id is still being written', [WALKS], (inner) =>
    counted(delayed(inner)),
  ),
  broken('the next id is counted, then used', ['16 pets made at once have 16 ids'], (inner) => ({
    async insert(draft, idempotency) {
      const { pets } = await inner.page(undefined, 1_000 as PageLimit)
      await everybodyElse()
      const answer = await inner.insert(draft, idempotency)
      return answer.kind === 'inserted' ? { ...answer, id: ((pets.at(-1)?.id ?? 0) + 1) as PetId } : answer
    },
  })),
  broken('an empty page has a next one', ['a catalogue without pets has one page without any'], (inner) => ({
    page: async (after, limit) => ({ next: (after ?? 0) as PetId, ...(await inner.page(after, limit)) }),
  })),
  broken('a full page has a next one', [NEXT], (inner) => ({
    async page(after, limit) {
      const page = await inner.page(after, limit)
      const last = page.pets.at(-1)
      return last && page.pets.length === limit ? { ...page, next: last.id } : page
    },
  })),
  broken('pages are cut at 50', ['pages hold up to 100 pets', NEXT].slice(0, 1), (inner) => ({
    async page(after, limit) {
      const { pets } = await inner.page(after, Math.min(limit, 50) as PageLimit)
      return { pets }
    },
  })),
  broken('pages go from the newest to the oldest', [walkAt(1), walkAt(7), walkAt(100)], (inner) => ({
    async page(after, limit) {
      const { pets } = await inner.page(undefined, 1_000 as PageLimit)
      const below = pets.toReversed().filter((pet) => after === undefined || pet.id < after)
      const shown = below.slice(0, limit)
      const last = shown.at(-1)
      return last && below.length > limit ? { pets: shown, next: last.id } : { pets: shown }
    },
  })),
  broken('pages leave the traits out', ['a page shows pets as find does'], (inner) => ({
    async page(after, limit) {
      const { pets, ...rest } = await inner.page(after, limit)
      return { pets: pets.map(({ traits: _, ...pet }) => pet), ...rest }
    },
  })),
  broken('no names are all pets', [MANY], (inner) => ({
    findMany: async (ids) =>
      ids.length > 0 ? await inner.findMany(ids) : (await inner.page(undefined, 100 as PageLimit)).pets,
  })),
  broken('named pets come without their traits', [SHOWN], (inner) => ({
    findMany: async (ids) => (await inner.findMany(ids)).map(({ traits: _, ...pet }) => pet),
  })),
  broken('texts are normalised', ['texts are kept exactly'], (inner) => ({
    insert: (draft, idempotency) =>
      inner.insert({ ...draft, name: draft.name.normalize('NFC') as PetName }, idempotency),
  })),
  broken('a pet is kept as it was passed in', [COPIES], (inner) => {
    const kept = new Map<PetId, PetDraft>()
    return {
      async insert(draft, idempotency) {
        const answer = await inner.insert(draft, idempotency)
        if (answer.kind === 'inserted') kept.set(answer.id, draft)
        return answer
      },
      async find(id) {
        const pet = await inner.find(id)
        return pet && { ...pet, ...kept.get(id) }
      },
    }
  }),
  broken('patch replaces all traits', [MERGE], (inner) => ({
    async patch(id, change, expected) {
      const answer = await inner.patch(id, change, expected)
      return answer.kind === 'patched'
        ? { ...answer, pet: { ...answer.pet, traits: change as Traits } }
        : answer
    },
  })),
  broken('patch merges across shapes', ['patch in the other shape replaces the old traits'], (inner) => ({
    async patch(id, change, expected) {
      const before = (await inner.find(id))?.traits
      return await inner.patch(id, { ...before, ...change }, expected)
    },
  })),
  broken('patch drops false and zero', ['patch keeps false and zero'], (inner) => ({
    async patch(id, change, expected) {
      const members = Object.entries(change).filter(([, value]) => Boolean(value))
      return await inner.patch(id, Object.fromEntries(members) as Traits, expected)
    },
  })),
  broken('patch ignores what is null', [NULL, LAST], (inner) => ({
    async patch(id, change, expected) {
      const members = Object.entries(change).filter(([, value]) => value !== null)
      const kept = (await inner.find(id))?.traits
      return await inner.patch(id, { ...kept, ...Object.fromEntries(members) } as Traits, expected)
    },
  })),
  broken('what is null replaces the other shape', [NOTHING_SET], (inner) => ({
    async patch(id, change, expected) {
      const traits = (await inner.find(id))?.traits
      if (traits?.kind === 'cat' && change.kind === 'dog')
        await inner.patch(id, { kind: 'cat', age: null, hunts: null })
      return await inner.patch(id, change, expected)
    },
  })),
  broken('patch leaves the revision', [REVISION, LAST, EXPECTED], (inner) => ({
    async find(id) {
      const pet = await inner.find(id)
      return pet && { ...pet, revision: 1 as Revision }
    },
  })),
  broken('patch throws for an unknown pet', ['patch of an unknown pet says so'], (inner) => ({
    async patch(id, change, expected) {
      const answer = await inner.patch(id, change, expected)
      if (answer.kind === 'unknown') throw new StoreError('no such row')
      return answer
    },
  })),
  broken('patch compares, then writes', [RACE], (inner) => ({
    async patch(id, change, expected) {
      const pet = await inner.find(id)
      if (!pet) return { kind: 'unknown' }
      if (expected && !expected.includes(pet.revision)) return { kind: 'stale' }
      await everybodyElse()
      return await inner.patch(id, change)
    },
  })),
  broken('patch reads the traits, then writes them all', [LOST], (inner) => ({
    async patch(id, change, expected) {
      const pet = await inner.find(id)
      await everybodyElse()
      const answer = await inner.patch(id, change, expected)
      if (answer.kind !== 'patched' || !pet) return answer
      return { ...answer, pet: { ...answer.pet, revision: (pet.revision + 1) as Revision } }
    },
  })),
]

/**
 * The pets of a store that counts first and writes later, as that of MongoDB does: every second one is seen, and
 * acknowledged, after others with greater ids. That breaks no law.
 */
export function delayed(inner: Pets): Pets {
  const unseen = new Set<PetId>()
  const seen = (pet: Pet | undefined) => (pet && unseen.has(pet.id) ? undefined : pet)
  return {
    ...inner,
    async insert(draft, idempotency) {
      const answer = await inner.insert(draft, idempotency)
      if (idempotency || answer.kind !== 'inserted' || answer.id % 2 === 0) return answer
      unseen.add(answer.id)
      await everybodyElse()
      unseen.delete(answer.id)
      return answer
    },
    find: async (id) => seen(await inner.find(id)),
    findMany: async (ids) => (await inner.findMany(ids)).filter(seen),
    page: async (after, limit) => pageOf((await allOf(inner, after)).filter(seen), limit),
  }
}

/** Each page begins behind as many pets as the pages before it have shown. */
function counted(inner: Pets): Pets {
  const offsets = new Map<PetId | undefined, number>([[undefined, 0]])
  return {
    ...inner,
    async page(after, limit) {
      const offset = offsets.get(after) ?? 0
      const page = pageOf((await allOf(inner, undefined)).slice(offset), limit)
      if (page.next !== undefined) offsets.set(page.next, offset + limit)
      return page
    },
  }
}

async function allOf(pets: Pets, after: PetId | undefined): Promise<readonly Pet[]> {
  return (await pets.page(after, 1_000 as PageLimit)).pets
}

function pageOf(pets: readonly Pet[], limit: PageLimit): PetPage {
  const shown = pets.slice(0, limit)
  const last = shown.at(-1)
  return pets.length > limit && last ? { pets: shown, next: last.id } : { pets: shown }
}
