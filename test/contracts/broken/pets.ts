import { PlantedError } from '../describe-laws.js'
import { also, type Bug, bugsOf, given, gives } from './bug.js'

const bug = bugsOf('pets')
const all = 1_000 as never

const brokenCatalogues: readonly Bug[] = [
  bug('a missing tag is stored as null', /a pet is found|patch increases/, () => ({
    find: gives((pet) => pet && { tag: null as never, ...pet }),
  })),
  bug(
    'an empty page refers to a next page',
    /next is present|is present if|a removed pet$|every earlier pet/,
    () => ({
      page: gives((page, after) => ({ next: after ?? (0 as never), ...page })),
    }),
  ),
  bug('an empty list of ids returns all pets', /each existing pet/, ({ pets }) => ({
    findMany: gives(async (found, ids) => (ids.length > 0 ? found : (await pets.page(undefined, all)).pets)),
  })),
  bug('findMany leaves the traits out', /pages and findMany/, () => ({
    findMany: gives((found) => found.map(({ traits: _, ...pet }) => pet)),
  })),
]

const brokenPatches: readonly Bug[] = [
  bug('patch replaces all traits', /patch merges|patch with an/, () => ({
    patch: gives((answer, _, change) =>
      answer.kind === 'patched' ? { ...answer, pet: { ...answer.pet, traits: change as never } } : answer,
    ),
  })),
  bug('patch merges traits of different kinds', /other kind|access token is/, ({ pets }) => ({
    patch: given(async (id, change, expected) => [
      id,
      { ...(await pets.find(id))?.traits, ...change },
      expected,
    ]),
  })),
  bug('patch drops false and zero', /patch preserves false|patch with null|a pet has/, () => ({
    patch: given((id, change, expected) => [id, without(change, (value) => !value), expected]),
  })),
  bug('patch throws an error for an unknown pet', /patch of an|remove returns/, () => ({
    patch: also(({ kind }) => {
      if (kind === 'unknown') throw new PlantedError('no such row')
    }),
  })),
]

const brokenRemovals: readonly Bug[] = [
  bug('the ID of a removed pet is used again', /are read while|removed pet is|concurrent requests/, () => {
    let removed = 0
    return {
      remove: also((answer) => (removed += answer === 'removed' ? 1 : 0)),
      insert: gives((answer) =>
        'id' in answer ? { ...answer, id: (answer.id - removed) as never } : answer,
      ),
      page: given((after, limit) => [after && ((after + removed) as never), limit]),
    }
  }),
  bug('remove ignores the expected revision', /deletes a pet/, () => ({ remove: given((id) => [id]) })),
  bug(
    'idempotency keys are ignored',
    /pets: a repeated|second insert with|removing a pet|of removed pets|key can be reused|expired idempotency keys/,
    () => ({
      insert: given((draft) => [draft]),
    }),
  ),
  bug('fingerprints are not compared', /fingerprint is/, () => ({
    insert: given((draft, key) => [draft, key && { ...key, fingerprint: '' }]),
  })),
  bug('all clients share one scope', /are independent/, () => ({
    insert: given((draft, key) => [draft, key && { ...key, scope: '' }]),
  })),
  bug('purge of idempotency keys ignores its limit', /number of idempotency/, () => ({
    purgeIdempotencyKeys: given((at) => [at, Infinity]),
  })),
]

export const bugsOfPets: readonly Bug[] = [...brokenCatalogues, ...brokenPatches, ...brokenRemovals]

function without(change: object, isLeftOut: (value: unknown) => boolean): never {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => !isLeftOut(value))) as never
}
