import type { Caller } from '../../domain/access/caller.js'
import type { IdempotencyKey } from '../../domain/catalogue/idempotency-key.js'
import type { PetDraft, PetId } from '../../domain/catalogue/pet.js'
import { Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { Idempotency, Pets } from '../../ports/pets.js'
import type { Authorized } from '../access/authorize.js'

/** How long an idempotency key is kept. */
const IDEMPOTENCY_WINDOW = 24 * 60 * 60 * 1000

/**
 * Adds a pet. With an idempotency key, one pet for that caller and key within 24 hours: the
 * same draft again gives the same id. Refuses with `idempotency-key-reused` for another draft.
 */
export type CreatePet = (input: {
  authorized: Authorized<'pets', 'create'>
  draft: PetDraft
  idempotencyKey?: IdempotencyKey
}) => Promise<PetId>

/** Takes the proof of `pets: create`. */
export function createCreatePet(parts: { pets: Pets; clock: Clock }): CreatePet {
  return async ({ authorized: { caller }, draft, idempotencyKey }) => {
    const outcome = await (idempotencyKey
      ? parts.pets.insert(draft, idempotency(caller, draft, idempotencyKey, parts.clock()))
      : parts.pets.insert(draft))
    if (outcome.kind !== 'key-reused') return outcome.id
    throw new Refusal('idempotency-key-reused', [
      {
        field: 'Idempotency-Key',
        type: 'Conflict',
        message: 'This idempotency key was used with another body.',
      },
    ])
  }
}

function idempotency(caller: Caller, draft: PetDraft, key: IdempotencyKey, at: number): Idempotency {
  const fingerprint = JSON.stringify([draft.name, draft.tag ?? null, draft.category ?? null])
  return { scope: scopeOf(caller), key, fingerprint, at, until: at + IDEMPOTENCY_WINDOW }
}

/** Each credential has its own name space of keys. */
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
