import type { PetDraft, PetId, Revision } from '../../domain/catalogue/pet.js'
import type { Idempotency, PetInsertion } from '../../ports/pets.js'
import type { Database } from './database.js'
import { FREE_KEY, NOT_REMOVED, type PetDocument } from './documents.js'
import { isDuplicateOf } from './errors.js'
import { insertCounted, type Counted } from './ids.js'
import { insertOwn } from './writes.js'

const FIRST_REVISION = 1 as Revision
/** A try fails if another request with the same key wins and its time is immediately over. */
const MOST_TRIES = 10

type Parts = Pick<Database, Counted | 'meta' | 'nextId'>

/**
 * With an idempotency key every caller gets the same pet. Pet and key are one document, so one insert makes both or
 * neither; the unique index picks the winner.
 */
export async function insertPet(
  database: Parts,
  draft: PetDraft,
  idempotency: Idempotency | undefined,
): Promise<PetInsertion> {
  if (!idempotency) return { kind: 'inserted', id: await insertNew(database, draft) }
  const { scope, key, fingerprint, until } = idempotency
  for (let tries = 1; ; tries += 1) {
    const earlier = await earlierUse(database, idempotency)
    if (earlier) return earlier
    try {
      const id = await insertNew(database, draft, { idempotency: { scope, key, fingerprint, until } })
      return { kind: 'inserted', id }
    } catch (error) {
      // Another caller has used the key in between, or it was freed and used again.
      if (!isDuplicateOf(error, 'idempotency.scope') || tries === MOST_TRIES) throw error
    }
  }
}

async function insertNew(
  database: Parts,
  { name, tag, category }: PetDraft,
  more: Pick<PetDocument, 'idempotency'> = {},
): Promise<PetId> {
  const pet = {
    name,
    ...(tag !== undefined && { tag }),
    ...(category !== undefined && { category }),
    revision: FIRST_REVISION,
    ...more,
  }
  return await insertCounted<PetId>(database, 'pets', (_id) => insertOwn(database.pets, { _id, ...pet }))
}

/** The earlier pet of the key; if its time is over, the pet loses the key here. */
async function earlierUse(
  { pets }: Parts,
  { scope, key, fingerprint, at }: Idempotency,
): Promise<PetInsertion | undefined> {
  const pet = await pets.findOne({ 'idempotency.scope': scope, 'idempotency.key': key })
  if (!pet?.idempotency) return undefined
  const { until } = pet.idempotency
  if (at >= until) {
    const spent = { _id: pet._id, 'idempotency.until': until }
    if (pet.removed) await pets.deleteOne(spent)
    else await pets.updateOne({ ...spent, ...NOT_REMOVED }, FREE_KEY)
    return undefined
  }
  return pet.idempotency.fingerprint === fingerprint
    ? { kind: 'repeated', id: pet._id }
    : { kind: 'key-reused' }
}
