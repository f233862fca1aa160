import type {
  Category,
  Pet,
  PetDraft,
  PetId,
  PetName,
  PetPage,
  PetTag,
  Revision,
} from '../../domain/catalogue/pet.js'
import { changeTraits, type Traits, type TraitsChange } from '../../domain/catalogue/traits.js'
import type { Instant } from '../../domain/instant.js'
import type { PageLimit } from '../../domain/page-limit.js'
import type { Idempotency, PetInsertion, PetPatch, PetRemoval, Pets } from '../../ports/pets.js'
import type { Database } from './database.js'
import { allOf, removeInSlices } from './slices.js'

export const PET_COLUMNS = 'id, name, tag, category, revision, traits'

export type PetRow = readonly [
  id: PetId,
  name: PetName,
  tag: PetTag | null,
  category: Category | null,
  revision: Revision,
  traits: string | null,
]

type UseRow = readonly [fingerprint: string, petId: PetId, until: Instant]

/** As one value: crossing into the driver once for each column of each row costs three times as much. */
const PAGE = `
  SELECT json_group_array(json_array(${PET_COLUMNS}))
  FROM (SELECT ${PET_COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?)`

const MANY = `
  SELECT json_group_array(json_array(${PET_COLUMNS}))
  FROM (SELECT ${PET_COLUMNS} FROM pets WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id)`

/** Of at most 100 pets each. */
const CACHED_PAGES = 100
/** Of those that are asked for right now; one with its reply is some 800 bytes. */
const CACHED_PETS = 10_000

const KEEP_KEY = `
  INSERT INTO idempotency_keys (scope, key, fingerprint, pet_id, until) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (scope, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, until = excluded.until`

const PURGE = `
  DELETE FROM idempotency_keys WHERE (scope, key) IN (
    SELECT scope, key FROM idempotency_keys WHERE until <= ? ORDER BY until LIMIT ?
  )`

/** The catalogue. A page is a range of the primary key, so its depth costs nothing. */
export function createPets(database: Database): Pets {
  const { prepare, rowCaches, read, readCached, write } = database
  const insertOnce = prepareInsertOnce(prepare)
  const find = prepare<PetRow>(`SELECT ${PET_COLUMNS} FROM pets WHERE id = ?`)
  const page = prepare<readonly [string]>(PAGE)
  const many = prepare<readonly [string]>(MANY)
  const cached = {
    page: rowCaches.cache<PetPage>(CACHED_PAGES),
    pet: rowCaches.cache<Pet | undefined>(CACHED_PETS),
  }
  const update = prepare('UPDATE pets SET traits = ?, revision = revision + 1 WHERE id = ?')
  const removeRow = prepare('DELETE FROM pets WHERE id = ?')
  const purge = prepare(PURGE)

  function patch(id: PetId, change: TraitsChange, expected: readonly Revision[] | undefined): PetPatch {
    const row = find.get(id)
    if (!row) return { kind: 'unknown' }
    const { traits: before, revision, ...pet } = petOf(row)
    if (expected && !expected.includes(revision)) return { kind: 'stale' }
    const traits = changeTraits(before, change)
    update.run(traits === undefined ? null : JSON.stringify(traits), id)
    const next = (revision + 1) as Revision
    return { kind: 'patched', pet: { ...pet, revision: next, ...(traits && { traits }) } }
  }

  function remove(id: PetId, expected: readonly Revision[] | undefined): PetRemoval {
    const pet = readPet(id)
    if (!pet) return 'unknown'
    if (expected && !expected.includes(pet.revision)) return 'stale'
    removeRow.run(id)
    return 'removed'
  }

  function readPet(id: PetId): Pet | undefined {
    const row = find.get(id)
    return row && petOf(row)
  }

  function readPage(after: number, limit: PageLimit): PetPage {
    const rows = rowsIn(page.get(after, limit + 1))
    const pets = rows.slice(0, limit).map(petOf)
    const last = pets.at(-1)
    return rows.length > limit && last ? { pets, next: last.id } : { pets }
  }

  return {
    insert: (draft, idempotency) => write(() => insertOnce(draft, idempotency)),
    find: (id) => readCached(() => cached.pet(id, () => readPet(id))),
    findMany: (ids) => read(() => rowsIn(many.get(JSON.stringify(ids))).map(petOf)),
    page: (after, limit) =>
      readCached(() => cached.page(`${after ?? 0} ${limit}`, () => readPage(after ?? 0, limit))),
    patch: (id, change, expected) => write(() => patch(id, change, expected)),
    remove: (id, expected) => write(() => remove(id, expected)),
    purgeIdempotencyKeys: (at, limit) =>
      removeInSlices(database, limit, (slice) => allOf(purge.run(at, slice))),
  }
}

/** Inside a transaction that holds the write lock, so that of several callers with one key only the first finds none. */
function prepareInsertOnce(
  prepare: Database['prepare'],
): (draft: PetDraft, idempotency: Idempotency | undefined) => PetInsertion {
  const insert = prepare('INSERT INTO pets (name, tag, category, revision) VALUES (?, ?, ?, 1)')
  const earlierUse = prepare<UseRow>(
    'SELECT fingerprint, pet_id, until FROM idempotency_keys WHERE scope = ? AND key = ?',
  )
  const keepKey = prepare(KEEP_KEY)

  function insertNew({ name, tag, category }: PetDraft): PetId {
    return insert.run(name, tag ?? null, category ?? null).lastInsertRowid as PetId
  }

  return (draft, idempotency) => {
    if (!idempotency) return { kind: 'inserted', id: insertNew(draft) }
    const { scope, key, fingerprint, at, until } = idempotency
    const earlier = earlierUse.get(scope, key)
    if (earlier && at < earlier[2]) {
      return earlier[0] === fingerprint ? { kind: 'repeated', id: earlier[1] } : { kind: 'key-reused' }
    }
    const id = insertNew(draft)
    keepKey.run(scope, key, fingerprint, id, until)
    return { kind: 'inserted', id }
  }
}

function rowsIn(row: readonly [string] | undefined): PetRow[] {
  return JSON.parse(row?.[0] ?? '[]') as PetRow[]
}

export function petOf([id, name, tag, category, revision, traits]: PetRow): Pet {
  return {
    id,
    name,
    ...(tag !== null && { tag }),
    ...(category !== null && { category }),
    revision,
    ...(traits !== null && { traits: JSON.parse(traits) as Traits }),
  }
}
