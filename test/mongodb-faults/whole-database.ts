import type { Collection, Db, Document } from 'mongodb'

export type Content = ReadonlyMap<string, readonly Document[]>

/** Excludes the schema version, which is not part of the data. */
const DATA = { _id: { $ne: 'schema' } } as unknown as Document

export async function contentOf(db: Db): Promise<Content> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort()
  const all = await Promise.all(
    names.map(
      async (name) =>
        await db
          .collection(name)
          .find(DATA, { sort: { _id: 1 } })
          .toArray(),
    ),
  )
  return new Map(names.map((name, index) => [name, all[index] ?? []]))
}

export async function restore(db: Db, content: Content): Promise<void> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  await Promise.all(names.map(async (name) => await refill(db.collection(name), content.get(name) ?? [])))
}

/** Tries again, because a write of the previous case may still be under way between the two commands. */
async function refill(collection: Collection, documents: readonly Document[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await collection.deleteMany(DATA)
    try {
      if (documents.length > 0) await collection.insertMany([...documents])
      return
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

/** Returns the contents as JSON without the values of IDs, because gaps between IDs do not matter. */
export function withoutIds(what: unknown): string {
  return JSON.stringify(what, (name, value: unknown) => {
    if (['_id', 'id', 'value', 'order'].includes(name) && typeof value === 'number') return 'a number'
    if (name === 'identity') return 'an identity'
    return value instanceof Map ? [...value] : value
  })
}

export function isBetween(content: Content, before: Content, after: Content): boolean {
  return [...content].every(([name, { length }]) => {
    const [first, second] = [idsIn(before, name), idsIn(after, name)]
    const inBoth = [...first].filter((id) => second.has(id)).length
    return length >= inBoth && length <= first.size + second.size - inBoth
  })
}

function idsIn(content: Content, name: string): ReadonlySet<unknown> {
  return new Set((content.get(name) ?? []).map(({ _id }) => String(_id)))
}
