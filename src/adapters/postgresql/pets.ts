import { type Pet, type PetId, type PetPage, changedPet } from '../../domain/catalogue/pet.js'
import { pageOf, type PageLimit } from '../../domain/page-limit.js'
import type { Pets } from '../../ports/pets.js'
import { batchCalls } from '../database-server.js'
import { IDEMPOTENCY_KEY, PET } from '../sql/records.js'
import { prepareRemoval, type PostgresStatements } from './statements.js'

/** Stores pets. A page is a range of the primary key, so its cost does not depend on its position. */
export function createPets(statements: PostgresStatements): Pets {
  const { write } = statements
  const { find, findMany, page } = prepareReads(statements)
  const update = write('UPDATE {pets} SET traits = ?, revision = revision + 1 WHERE id = ? AND revision = ?')
  const remove = write('DELETE FROM {pets} WHERE id = ? AND revision = ?')

  return {
    insert: prepareInsert(statements),
    find,
    findMany,
    page,
    /** Replaces the pet if its revision is unchanged. */
    patch: async (id, change, expected) => {
      for (;;) {
        const before = await find(id)
        if (!before) return { kind: 'unknown' }
        if (expected && !expected.includes(before.revision)) return { kind: 'stale' }
        const pet = changedPet(before, change)
        const traits = pet.traits ? JSON.stringify(pet.traits) : null
        if ((await update.run(traits, id, before.revision)) === 1) return { kind: 'patched', pet }
      }
    },
    remove: async (id, expected) => {
      for (;;) {
        const pet = await find(id)
        if (!pet) return 'unknown'
        if (expected && !expected.includes(pet.revision)) return 'stale'
        if ((await remove.run(id, pet.revision)) === 1) return 'removed'
      }
    },
    purgeIdempotencyKeys: prepareRemoval(statements, 'idempotency_keys', 'until'),
  }
}

function prepareReads({ read }: PostgresStatements) {
  const many = read(`
    SELECT ${PET.list} FROM {pets}
    WHERE id = ANY (ARRAY(SELECT CAST(json_array_elements_text(CAST(? AS json)) AS bigint))) ORDER BY id`)
  const page = read(`SELECT ${PET.list} FROM {pets} WHERE id > ? ORDER BY id LIMIT ?`)

  const findMany = async (ids: readonly PetId[]): Promise<readonly Pet[]> =>
    (await many.all(JSON.stringify(ids))).map(PET.read)
  const rowOf = batchCalls(async (ids: readonly PetId[]) => {
    const rows = await many.all(JSON.stringify([...new Set(ids)]))
    return new Map(rows.map((row) => [row[0] as PetId, row]))
  })

  return {
    find: async (id: PetId): Promise<Pet | undefined> => {
      const row = (await rowOf(id)).get(id)
      return row && PET.read(row)
    },
    findMany,
    page: async (after: PetId | undefined, limit: PageLimit): Promise<PetPage> =>
      pageOf('pets', (await page.all(after ?? 0, limit + 1)).map(PET.read), limit),
  }
}

/** One statement stores the pet and its idempotency key: only the first of several callers with the same key stores both. */
function prepareInsert({ read, write }: PostgresStatements): Pets['insert'] {
  const insert = write<readonly [PetId]>(
    'INSERT INTO {pets} (name, tag, category, revision) VALUES (?, ?, ?, 1) RETURNING id',
  )
  // Dollar quotes allow every character in the schema name. A rejected idempotency key leaves a gap in the IDs.
  const insertOnce = write<readonly [PetId]>(`
    WITH claimed AS (
      INSERT INTO {idempotency_keys} AS k (scope, key, fingerprint, pet_id, until)
      VALUES (?, ?, ?, nextval($name\${pets_id_seq}$name$), ?)
      ON CONFLICT (scope, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, until = excluded.until
      WHERE k.until <= ?
      RETURNING pet_id
    )
    INSERT INTO {pets} (id, name, tag, category, revision) SELECT pet_id, ?, ?, ?, 1 FROM claimed RETURNING id`)
  const earlierUse = read(
    `SELECT ${IDEMPOTENCY_KEY.list} FROM {idempotency_keys} WHERE scope = ? AND key = ? AND until > ?`,
  )

  return async ({ name, tag, category }, idempotency) => {
    const draft = [name, tag ?? null, category ?? null]
    if (!idempotency) return { kind: 'inserted', id: ((await insert.get(...draft)) ?? [])[0] as PetId }
    const { scope, key, fingerprint, at, until } = idempotency
    for (;;) {
      const [id] = (await insertOnce.get(scope, key, fingerprint, until, at, ...draft)) ?? []
      if (id !== undefined) return { kind: 'inserted', id }
      // If the idempotency key is purged before this read, the next iteration inserts the pet.
      const row = await earlierUse.get(scope, key, at)
      const earlier = row && IDEMPOTENCY_KEY.read(row)
      if (earlier?.fingerprint === fingerprint) return { kind: 'repeated', id: earlier.petId }
      if (earlier) return { kind: 'key-reused' }
    }
  }
}
