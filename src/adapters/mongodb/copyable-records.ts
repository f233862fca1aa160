import { randomUUID } from 'node:crypto'
import type { Collection } from 'mongodb'
import {
  RECORD_KINDS,
  type CopyClaim,
  type RecordKind,
  type RecordOf,
  type CopyableRecords,
} from '../../ports/copyable-records.js'
import type { RoleKey } from '../../domain/access/role.js'
import type { Database } from './database.js'
import { unavailable } from '../../domain/refusal.js'
import { isDuplicate } from './errors.js'
import { upserting } from './writes.js'
import { recordCollections, type RecordCollection, type StoredDocument } from './record-collections.js'
import { roleOf } from './roles.js'

type Mark = { _id: string; identity?: string; source?: string; complete?: boolean }

type Writes = { readonly host: string; readonly latencyStats: { readonly writes: { readonly ops: unknown } } }

/** Reads the statistics of one server with read concern `local`, because statistics need no confirmation by a majority. */
const OF_ONE_SERVER = { readConcern: { level: 'local' } } as const

const IDENTITY = 'identity'
const COPY = 'copy'

/** Stores the store's identity and the marker of a running copy in the collection `meta`. */
export function createCopyableRecords(database: Database): CopyableRecords {
  const collections = recordCollections(database)
  const marks = database.db.collection<Mark>('meta')

  async function isEmpty(): Promise<boolean> {
    const firsts = await Promise.all(RECORD_KINDS.map((kind) => page(kind, undefined, 1)))
    return firsts.every((one) => one.length === 0)
  }

  async function page<Kind extends RecordKind>(
    kind: Kind,
    after: RecordOf[Kind] | undefined,
    limit: number,
  ): Promise<readonly RecordOf[Kind][]> {
    const { collection, only = {}, sort, after: afterRecord, read } = collections[kind]
    const filter = after === undefined ? only : { ...only, ...afterRecord(after) }
    return (await collection.find(filter, { sort, limit }).toArray()).map(read)
  }

  return {
    identity: () => identityOf(marks),
    changeToken: () => writesOf(new Set(RECORD_KINDS.map((kind) => collections[kind].collection))),
    async count(kind) {
      const { collection, only, except } = collections[kind]
      if (only && !except) return await collection.countDocuments(only)
      // Counting every document of a large collection could exceed the timeout.
      const all = await collection.estimatedDocumentCount()
      return except ? all - (await collection.countDocuments(except)) : all
    },
    page,
    put: (kind, records) => putRecords(database, collections[kind], records),
    async remove(kind, records) {
      if (records.length === 0) return
      const { collection, remove } = collections[kind]
      await collection.bulkWrite(records.flatMap(remove), { ordered: false })
    },
    claim: (source) => claim(marks, source, isEmpty),
    async complete(source) {
      await marks.updateOne({ _id: COPY, source }, { $set: { complete: true } })
    },
  }
}

async function writesOf(collections: Iterable<Collection<StoredDocument>>): Promise<string> {
  const counts = await Promise.all(
    [...collections].map(async (collection) => {
      const stats = await collection
        .aggregate<Writes>([{ $collStats: { latencyStats: {} } }], OF_ONE_SERVER)
        .toArray()
      const writes = stats.map(({ host, latencyStats }) => `${host} ${String(latencyStats.writes.ops)}`)
      return `${collection.collectionName}: ${writes.join()}`
    }),
  )
  return counts.sort().join('; ')
}

async function identityOf(marks: Collection<Mark>): Promise<string> {
  const known = (await marks.findOne({ _id: IDENTITY }))?.identity
  if (known !== undefined) return known
  const once = { $setOnInsert: { identity: randomUUID() } }
  await upserting(() => marks.updateOne({ _id: IDENTITY }, once, { upsert: true }))
  const identity = (await marks.findOne({ _id: IDENTITY }))?.identity
  if (identity === undefined) throw unavailable('The MongoDB server has lost the identity of the store.')
  return identity
}

/** Creates the copy marker with one upsert, so that two concurrent copies cannot both begin. */
async function claim(
  marks: Collection<Mark>,
  source: string,
  isEmpty: () => Promise<boolean>,
): Promise<CopyClaim> {
  if (source === (await identityOf(marks))) return 'same'
  const earlier = await marks.findOne({ _id: COPY })
  if (!earlier && !(await isEmpty())) return 'occupied'
  const mine = { $setOnInsert: { source, complete: false } }
  const made = await upserting(() => marks.updateOne({ _id: COPY }, mine, { upsert: true }))
  if (made.upsertedCount === 1) return 'begun'
  const mark = earlier ?? (await marks.findOne({ _id: COPY }))
  if (mark?.source !== source) return 'occupied'
  return mark.complete === true ? 'complete' : 'resumed'
}

async function putRecords<Kind extends RecordKind>(
  { roles }: Pick<Database, 'roles'>,
  { collection, put }: RecordCollection<Kind>,
  records: readonly RecordOf[Kind][],
): Promise<'put' | 'contradicted'> {
  if (records.length === 0) return 'put'
  const table = new Map((await roles.find({}).toArray()).map((role) => [role._id, roleOf(role)]))
  const unknown: RoleKey[] = []
  const rolesOf = (keys: readonly RoleKey[]) => {
    unknown.push(...keys.filter((key) => !table.has(key)))
    return keys.flatMap((key) => table.get(key) ?? [])
  }
  const operations = records.map((record) => put(record, rolesOf))
  try {
    await collection.bulkWrite(operations, { ordered: false })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return 'contradicted'
  }
  return unknown.length === 0 ? 'put' : 'contradicted'
}
