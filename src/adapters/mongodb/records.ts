import { randomUUID } from 'node:crypto'
import type { Collection } from 'mongodb'
import {
  RECORD_KINDS,
  type CopyClaim,
  type RecordKind,
  type RecordOf,
  type Records,
} from '../../ports/records.js'
import type { Database } from './database.js'
import { recordCollections } from './record-collections.js'
import { roleOf } from './role-table.js'

type Mark = { _id: string; identity?: string; source?: string; complete?: boolean }

const IDENTITY = 'identity'
const COPY = 'copy'

/** The whole content, for copying; the identity and the mark of a copy are documents of `meta`. */
export function createRecords(database: Database): Records {
  const { ask, db } = database
  const collections = recordCollections(database)
  const marks = db.collection<Mark>('meta')

  async function count(kind: RecordKind): Promise<number> {
    const { collection, only = {} } = collections[kind]
    return await collection.countDocuments(only)
  }

  async function isEmpty(): Promise<boolean> {
    const counts = await Promise.all(RECORD_KINDS.map(count))
    return counts.every((one) => one === 0)
  }

  async function page<Kind extends RecordKind>(
    kind: Kind,
    after: RecordOf[Kind] | undefined,
    limit: number,
  ): Promise<readonly RecordOf[Kind][]> {
    const { collection, only = {}, sort, after: beyond, read } = collections[kind]
    const filter = after === undefined ? only : { ...only, ...beyond(after) }
    return (await collection.find(filter, { sort, limit }).toArray()).map(read)
  }

  async function put<Kind extends RecordKind>(kind: Kind, records: readonly RecordOf[Kind][]): Promise<void> {
    if (records.length === 0) return
    const table = new Map((await database.roles.find({}).toArray()).map((role) => [role._id, roleOf(role)]))
    const { collection, put: operation } = collections[kind]
    const operations = records.map((record) =>
      operation(record, (keys) => keys.flatMap((key) => table.get(key) ?? [])),
    )
    await collection.bulkWrite(operations, { ordered: false })
  }

  return {
    identity: () => ask(() => identityOf(marks)),
    count: (kind) => ask(() => count(kind)),
    page: (kind, after, limit) => ask(() => page(kind, after, limit)),
    put: (kind, records) => ask(() => put(kind, records)),
    claim: (source) => ask(() => claim(marks, source, isEmpty)),
    complete: (source) =>
      ask(async () => {
        await marks.updateOne({ _id: COPY, source }, { $set: { complete: true } })
      }),
  }
}

async function identityOf(marks: Collection<Mark>): Promise<string> {
  const found = await marks.findOneAndUpdate(
    { _id: IDENTITY },
    { $setOnInsert: { identity: randomUUID() } },
    { upsert: true, returnDocument: 'after' },
  )
  return found?.identity ?? ''
}

/** The mark is made by one upsert, so of two copies that find the store empty one begins. */
async function claim(
  marks: Collection<Mark>,
  source: string,
  isEmpty: () => Promise<boolean>,
): Promise<CopyClaim> {
  if (source === (await identityOf(marks))) return 'same'
  const earlier = await marks.findOne({ _id: COPY })
  if (!earlier && !(await isEmpty())) return 'occupied'
  const mine = { $setOnInsert: { source, complete: false } }
  const made = await marks.updateOne({ _id: COPY }, mine, { upsert: true })
  if (made.upsertedCount === 1) return 'begun'
  const mark = earlier ?? (await marks.findOne({ _id: COPY }))
  if (mark?.source !== source) return 'occupied'
  return mark.complete === true ? 'complete' : 'resumed'
}
