import { nextId, takeOut } from '../state.js'

/**
 * @typedef {import('kennel-id').Revision} Revision
 * @typedef {import('kennel-id').Traits} Traits
 * @typedef {import('kennel-id').TraitsChange} TraitsChange
 */

/**
 * The optional calls are omitted: Kennel implements each of them with other calls.
 *
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').RequiredCalls<'pets'>>}
 */
export function petsOf(state) {
  const { pets, idempotencyKeys } = state
  const byId = (/** @type {number} */ id) => pets.find((one) => one.id === id)

  return {
    insert(draft, idempotency) {
      const isSame = (/** @type {{ scope: string, key: string }} */ { scope, key }) =>
        scope === idempotency?.scope && key === idempotency.key
      const spent = idempotencyKeys.find(isSame)
      if (spent && idempotency && idempotency.at < spent.until) {
        if (spent.fingerprint !== idempotency.fingerprint) return { kind: 'key-reused' }
        return { kind: 'repeated', id: spent.petId }
      }
      const id = nextId(state, 'pets')
      pets.push({ ...draft, id, revision: /** @type {Revision} */ (1) })
      if (idempotency) {
        const { scope, key, fingerprint, until } = idempotency
        takeOut(idempotencyKeys, isSame, 1)
        idempotencyKeys.push({ scope, key, fingerprint, until, petId: id })
      }
      return { kind: 'inserted', id }
    },
    find: byId,
    page(after = /** @type {any} */ (0), limit) {
      // Reading one item more than the limit shows whether another page follows.
      const found = pets.filter(({ id }) => id > after).slice(0, limit + 1)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return found.length > limit && last ? { pets: page, next: last.id } : { pets: page }
    },
    patch(id, change, expected) {
      const pet = byId(id)
      if (!pet) return { kind: 'unknown' }
      if (expected && !expected.includes(pet.revision)) return { kind: 'stale' }
      const traits = changed(pet.traits, change)
      if (traits) pet.traits = traits
      else delete pet.traits
      pet.revision = /** @type {Revision} */ (pet.revision + 1)
      return { kind: 'patched', pet }
    },
    remove(id, expected) {
      const pet = byId(id)
      if (!pet) return 'unknown'
      if (expected && !expected.includes(pet.revision)) return 'stale'
      pets.splice(pets.indexOf(pet), 1)
      return 'removed'
    },
    purgeIdempotencyKeys: (at, limit) => takeOut(idempotencyKeys, ({ until }) => until <= at, limit),
  }
}

/**
 * A pet has either dog traits or cat traits, so setting a trait of the other kind replaces all existing traits. `null` removes a trait; a
 * change that only removes traits of the other kind has no effect.
 *
 * @param {Traits | undefined} before
 * @param {TraitsChange} change
 */
function changed(before, change) {
  const isSameShape = before?.kind === change.kind
  const { kind, ...members } = isSameShape ? { ...before, ...change } : change
  const kept = Object.entries(members).filter(([, trait]) => trait !== null)
  if (kept.length > 0) return /** @type {Traits} */ ({ kind, ...Object.fromEntries(kept) })
  return isSameShape ? undefined : before
}
