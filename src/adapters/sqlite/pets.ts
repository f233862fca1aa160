import { type Pet, type PetDraft, type PetId, type PetPage, changedPet } from '../../domain/catalogue/pet.js'
import { pageOf, type PageLimit } from '../../domain/page-limit.js'
import type { Pets } from '../../ports/pets.js'
import type { SyncPort } from '../../application/wrap-port.js'
import type { Database } from './database.js'
import { IDEMPOTENCY_KEY, PET, upsert } from '../sql/records.js'
import type { Row } from '../sql/statements.js'
import { allOf, removeInSlices } from './transaction.js'

/** Returns one JSON value for all rows, because reading each column through the driver costs three times as much. */
function asJson(rows: string): string {
  return `SELECT json_group_array(json_array(${PET.list})) FROM (SELECT ${PET.list} FROM pets WHERE ${rows})`
}

const CACHED_PAGE_BYTES = 2 * 1024 * 1024
const CACHED_PET_BYTES = 4 * 1024 * 1024

/** Stores pets. A page is a range of the primary key, so its cost does not depend on its position. */
export function createPets(database: Database): Pets {
  const { prepare, rowCaches, read, readCached, write } = database
  const insertOnce = prepareInsertOnce(prepare)
  const find = prepare(`SELECT ${PET.list} FROM pets WHERE id = ?`)
  const page = prepare<readonly [string]>(asJson('id > ? ORDER BY id LIMIT ?'))
  const many = prepare<readonly [string]>(asJson('id IN (SELECT value FROM json_each(?)) ORDER BY id'))
  const cachedPage = rowCaches.cache<PetPage>(CACHED_PAGE_BYTES, () => ['pet'])
  const cachedPet = rowCaches.cache<Pet | undefined>(CACHED_PET_BYTES, ({ id }) => [`pet ${id}`])
  const update = prepare('UPDATE pets SET traits = ?, revision = revision + 1 WHERE id = ?')
  const removeRow = prepare('DELETE FROM pets WHERE id = ?')
  const purge = prepare(
    `DELETE FROM idempotency_keys WHERE (scope, key) IN (
       SELECT scope, key FROM idempotency_keys WHERE until <= ? ORDER BY until LIMIT ?
     )`,
  )

  function readPet(id: PetId): Pet | undefined {
    const row = find.get(id)
    return row && PET.read(row)
  }

  function readPage(after: number, limit: PageLimit): PetPage {
    return pageOf('pets', petsIn(page.get(after, limit + 1)), limit)
  }

  return {
    insert: (draft, idempotency) => write(() => insertOnce(draft, idempotency)),
    find: (id) => readCached(() => cachedPet(id, () => readPet(id))),
    findMany: (ids) => read(() => petsIn(many.get(JSON.stringify(ids)))),
    page: (after, limit) =>
      readCached(() => cachedPage(`${after ?? 0} ${limit}`, () => readPage(after ?? 0, limit))),
    patch: (id, change, expected) =>
      write(() => {
        const before = readPet(id)
        if (!before) return { kind: 'unknown' }
        if (expected && !expected.includes(before.revision)) return { kind: 'stale' }
        const pet = changedPet(before, change)
        update.run(pet.traits ? JSON.stringify(pet.traits) : null, id)
        return { kind: 'patched', pet }
      }),
    remove: (id, expected) =>
      write(() => {
        const pet = readPet(id)
        if (!pet) return 'unknown'
        if (expected && !expected.includes(pet.revision)) return 'stale'
        removeRow.run(id)
        return 'removed'
      }),
    purgeIdempotencyKeys: (at, limit) =>
      removeInSlices(database, limit, (slice) => allOf(purge.run(at, slice))),
  }
}

/** Needs a transaction with the write lock, so that only the first of several callers with the same key finds the key unused. */
function prepareInsertOnce(prepare: Database['prepare']): SyncPort<Pets>['insert'] {
  const insert = prepare('INSERT INTO pets (name, tag, category, revision) VALUES (?, ?, ?, 1)')
  const earlierUse = prepare(
    `SELECT ${IDEMPOTENCY_KEY.list} FROM idempotency_keys WHERE scope = ? AND key = ?`,
  )
  const keepKey = prepare(upsert('idempotency_keys', IDEMPOTENCY_KEY.columns, ['scope', 'key']))

  function insertNew({ name, tag, category }: PetDraft): PetId {
    return insert.run(name, tag ?? null, category ?? null).lastInsertRowid as PetId
  }

  return (draft, idempotency) => {
    if (!idempotency) return { kind: 'inserted', id: insertNew(draft) }
    const { at, ...key } = idempotency
    const row = earlierUse.get(key.scope, key.key)
    const earlier = row && IDEMPOTENCY_KEY.read(row)
    if (earlier && at < earlier.until) {
      if (earlier.fingerprint !== key.fingerprint) return { kind: 'key-reused' }
      return { kind: 'repeated', id: earlier.petId }
    }
    const id = insertNew(draft)
    keepKey.run(...IDEMPOTENCY_KEY.values({ ...key, petId: id }))
    return { kind: 'inserted', id }
  }
}

function petsIn(row: readonly [string] | undefined): Pet[] {
  return (JSON.parse(row?.[0] ?? '[]') as Row[]).map(PET.read)
}
