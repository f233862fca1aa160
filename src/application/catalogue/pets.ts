import type { Caller } from '../../domain/access/caller.js'
import {
  category,
  idempotencyKey,
  petIds,
  petName,
  petTag,
  type IdempotencyKey,
  type Pet,
  type PetDraft,
  type PetId,
  type Revision,
  age,
  breed,
  type TraitsChange,
} from '../../domain/catalogue/pet.js'
import { PAGE_LIMIT_DEFAULT } from '../../domain/page-limit.js'
import { refuse, refuseField, type Refusal } from '../../domain/refusal.js'
import type { Idempotency } from '../../ports/pets.js'
import {
  byKind,
  choice,
  fields,
  flag,
  id,
  listOf,
  nullable,
  number,
  optional,
  withRule,
  text,
  type Parser,
} from '../fields.js'
import { pageSize, possibleId } from '../inputs.js'
import { operation } from '../operation.js'

/** Returns one page of the catalogue, 20 pets by default. */
export const listPets = operation({
  permission: ['pets', 'list'],
  input: fields({ limit: optional(pageSize), after: optional(id<PetId>()) }),
  parts: ['pets'],
  run:
    ({ pets }) =>
    async ({ limit = PAGE_LIMIT_DEFAULT, after }) =>
      await pets.page(after, limit),
})

const IDEMPOTENCY_WINDOW = 24 * 60 * 60 * 1000

const draft = fields({
  name: withRule(text, petName),
  tag: optional(withRule(text, petTag)),
  category: optional(withRule(text, category)),
}) as Parser<PetDraft>

/**
 * Adds a pet and resolves with its ID. With an idempotency key, creates only one pet for this caller and key within 24 hours; a repeated
 * call with the same draft returns the same ID. Refuses the call with `idempotency-key-reused` if the key was used for a different draft.
 */
export const createPet = operation({
  permission: ['pets', 'create'],
  input: fields({ draft, idempotencyKey: optional(withRule(text, idempotencyKey)) }),
  parts: ['pets', 'clock'],
  run:
    ({ pets, clock }) =>
    async ({ caller, draft, idempotencyKey: key }) => {
      const outcome = await (key
        ? pets.insert(draft, idempotency(caller, draft, key, clock()))
        : pets.insert(draft))
      if (outcome.kind !== 'key-reused') return outcome.id
      const message = 'This idempotency key was used with a different body.'
      throw refuseField('idempotency-key-reused', 'Idempotency-Key', 'Conflict', message)
    },
})

function idempotency(caller: Caller, draft: PetDraft, key: IdempotencyKey, at: number): Idempotency {
  const fingerprint = JSON.stringify([draft.name, draft.tag ?? null, draft.category ?? null])
  return { scope: scopeOf(caller), key, fingerprint, at, until: at + IDEMPOTENCY_WINDOW }
}

function scopeOf(caller: Caller): string {
  switch (caller.kind) {
    case 'account':
      return `account:${caller.accountId}`
    case 'api-key':
      return `api-key:${caller.apiKeyId}`
    case 'cli':
    case 'anonymous':
      return caller.kind
  }
}

/** Resolves with a pet. Refuses with `not-found`, including if `id` is `undefined` because it was not a valid ID. */
export const readPet = operation({
  permission: ['pets', 'read'],
  input: fields({ id: possibleId<PetId>() }),
  parts: ['pets'],
  run:
    ({ pets }) =>
    async ({ id }) => {
      const pet = id === undefined ? undefined : await pets.find(id)
      if (!pet) throw noSuchPet()
      return pet
    },
})

function noSuchPet(): Refusal {
  return refuse('not-found', 'NotFound', 'There is no pet with this id.')
}

/** Resolves with the existing pets among `ids`, without duplicates and in ascending order. Requires the permission to list pets. */
export const readPets = operation({
  permission: ['pets', 'list'],
  input: fields({ ids: withRule(listOf(number), petIds) }),
  parts: ['pets'],
  run:
    ({ pets }) =>
    async ({ ids }): Promise<readonly Pet[]> =>
      ids.length === 0 ? [] : await pets.findMany(ids),
})

const change = byKind<TraitsChange>('must be a change to a cat or a dog, matching the kind of the pet', {
  cat: fields({
    kind: choice(['cat']),
    age: optional(nullable(withRule(number, age))),
    hunts: optional(nullable(flag)),
  }) as Parser<TraitsChange>,
  dog: fields({
    kind: choice(['dog']),
    bark: optional(nullable(flag)),
    breed: optional(nullable(withRule(text, breed))),
  }) as Parser<TraitsChange>,
})

/**
 * Changes traits of a pet; `null` removes a trait. If `expected` is given, the call takes effect only if the revision of the pet is in this
 * list. Refuses the call with `stale`, or with `not-found` (also if `id` is `undefined`).
 */
export const patchPet = operation({
  permission: ['pets', 'update'],
  input: fields({ id: possibleId<PetId>(), change, expected: optional(listOf(id<Revision>())) }),
  parts: ['pets'],
  run:
    ({ pets }) =>
    async ({ id, change, expected }) => {
      if (id === undefined) throw noSuchPet()
      const outcome = await pets.patch(id, change, expected)
      if (outcome.kind === 'patched') return outcome.pet
      if (outcome.kind === 'unknown') throw noSuchPet()
      throw petHasChanged()
    },
})

function petHasChanged(): Refusal {
  return refuse('stale', 'Conflict', 'The pet has changed since it was read.')
}

/**
 * Removes a pet; its ID is never reused. If `expected` is given, the call takes effect only if the revision of the pet is in this list.
 * Refuses the call with `not-found` or `stale`.
 */
export const removePet = operation({
  permission: ['pets', 'delete'],
  input: fields({ id: possibleId<PetId>(), expected: optional(listOf(id<Revision>())) }),
  parts: ['pets'],
  run:
    ({ pets }) =>
    async ({ id, expected }) => {
      const outcome = id === undefined ? 'unknown' : await pets.remove(id, expected)
      if (outcome === 'unknown') throw noSuchPet()
      if (outcome === 'stale') throw petHasChanged()
    },
})
