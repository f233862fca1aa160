import type { Caller } from '../../domain/access/caller.js'
import { idempotencyKey, type IdempotencyKey } from '../../domain/catalogue/idempotency-key.js'
import { category, petName, petTag, type PetDraft } from '../../domain/catalogue/pet.js'
import { refuseField } from '../../domain/refusal.js'
import type { Clock } from '../../ports/clock.js'
import type { Idempotency, Pets } from '../../ports/pets.js'
import { fields, optional, ruled, text, type Parser } from '../fields.js'
import { operation } from '../operation.js'

const IDEMPOTENCY_WINDOW = 24 * 60 * 60 * 1000

const draft = fields({
  name: ruled(text, petName),
  tag: optional(ruled(text, petTag)),
  category: optional(ruled(text, category)),
}) as Parser<PetDraft>

/**
 * Adds a pet and resolves with its ID. With an idempotency key, one pet for that caller and key within 24 hours: the same
 * draft again gives the same ID. Refuses with `idempotency-key-reused` for another draft.
 */
export const createPet = operation({
  permission: ['pets', 'create'],
  input: fields({ draft, idempotencyKey: optional(ruled(text, idempotencyKey)) }),
  parts: ['pets', 'clock'],
  run:
    ({ pets, clock }: { pets: Pets; clock: Clock }) =>
    async ({ caller, draft, idempotencyKey: key }) => {
      const outcome = await (key
        ? pets.insert(draft, idempotency(caller, draft, key, clock()))
        : pets.insert(draft))
      if (outcome.kind !== 'key-reused') return outcome.id
      const message = 'This idempotency key was used with another body.'
      throw refuseField('idempotency-key-reused', 'Idempotency-Key', 'Conflict', message)
    },
})

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
