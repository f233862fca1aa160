import type { Collection, Db, MongoClient } from 'mongodb'

/** Records the read preference of each read of the collection; `undefined` means that the URL decides. */
export function watchReads(client: MongoClient, name: string, preferences: unknown[]): void {
  const open = client.db.bind(client)
  client.db = (...given) => {
    const db: Db = open(...given)
    const collectionOf = db.collection.bind(db)
    db.collection = ((wanted: string) => {
      const collection = collectionOf(wanted)
      return wanted === name ? noting(collection, preferences) : collection
    }) as Db['collection']
    return db
  }
}

function noting(collection: Collection, preferences: unknown[]): Collection {
  return new Proxy(collection, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        const isRead = ['find', 'findOne'].includes(String(member))
        if (isRead) preferences.push((given[1] as { readPreference?: unknown } | undefined)?.readPreference)
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })
}
