import type { Pet, PetDraft, PetId, PetPage, Revision } from '../../domain/catalogue/pet.js'
import { changeTraits, type TraitsChange } from '../../domain/catalogue/traits.js'
import type { Idempotency, Pets } from '../../ports/pets.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { createAscending } from './ascending.js'
import { createDeadlines } from './deadlines.js'

type SpentKey = Pick<Idempotency, 'fingerprint' | 'until'> & { readonly petId: PetId }

const FIRST_REVISION = 1 as Revision

export function memoryPets(): SyncPort<Pets> {
  const pets = createAscending<PetId, Pet>()
  const spentKeys = new Map<string, SpentKey>()
  const ends = createDeadlines<string>()

  function keep(draft: PetDraft): PetId {
    return pets.add((id) => ({ ...draft, id, revision: FIRST_REVISION }))
  }

  function spend(name: string, { fingerprint, until }: Idempotency, petId: PetId): void {
    spentKeys.set(name, { fingerprint, until, petId })
    ends.set(name, until)
  }

  return {
    insert(draft, idempotency) {
      if (!idempotency) return { kind: 'inserted', id: keep(draft) }
      const name = nameOf(idempotency)
      const spent = spentKeys.get(name)
      if (spent && idempotency.at < spent.until) {
        return spent.fingerprint === idempotency.fingerprint
          ? { kind: 'repeated', id: spent.petId }
          : { kind: 'key-reused' }
      }
      const id = keep(draft)
      spend(name, idempotency, id)
      return { kind: 'inserted', id }
    },
    find(id) {
      const pet = pets.get(id)
      return pet && copyOf(pet)
    },
    findMany: (ids) =>
      [...new Set(ids)]
        .sort((left, right) => left - right)
        .flatMap((id) => pets.get(id) ?? [])
        .map(copyOf),
    page: (after, limit) => pageOf(pets.page(after, limit + 1), limit),
    patch(id, change, expected) {
      const before = pets.get(id)
      if (!before) return { kind: 'unknown' }
      if (expected && !expected.includes(before.revision)) return { kind: 'stale' }
      const pet = changed(before, change)
      pets.replace(id, pet)
      return { kind: 'patched', pet: copyOf(pet) }
    },
    remove(id, expected) {
      const pet = pets.get(id)
      if (!pet) return 'unknown'
      if (expected && !expected.includes(pet.revision)) return 'stale'
      pets.delete(id)
      return 'removed'
    },
    purgeIdempotencyKeys(at, limit) {
      const over = ends.takeOver(at, limit)
      for (const name of over) spentKeys.delete(name)
      return over.length
    },
  }
}

function changed({ traits: before, revision, ...rest }: Pet, change: TraitsChange): Pet {
  const traits = changeTraits(before, change)
  return { ...rest, revision: (revision + 1) as Revision, ...(traits && { traits }) }
}

/** Scope and key as one text in which neither can pretend to be part of the other. */
function nameOf({ scope, key }: Idempotency): string {
  return JSON.stringify([scope, key])
}

/** `found` holds one pet more than the page where there is a following page. */
function pageOf(found: readonly Pet[], limit: number): PetPage {
  const pets = found.slice(0, limit).map(copyOf)
  const last = pets.at(-1)
  return found.length > limit && last ? { pets, next: last.id } : { pets }
}

function copyOf(pet: Pet): Pet {
  return pet.traits === undefined ? { ...pet } : { ...pet, traits: { ...pet.traits } }
}
