import { openMongo } from '../../src/adapters/mongodb/store.js'
import { startMongodb } from './mongodb-server.js'
import { inWorkplace, type Workplace } from './workplace.js'

/** Does the work in a workplace whose store is a database on a real MongoDB server. */
export async function onMongodb<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
  return await withMongodb((inDatabase) =>
    inWorkplace((place) => work(inDatabase(place, `kennel-bench-${process.pid}`))),
  )
}

/** Does the work with a real MongoDB server, on which any workplace can have a database for its store. */
export async function withMongodb<T>(
  work: (inDatabase: (place: Workplace, name: string) => Workplace) => Promise<T>,
): Promise<T> {
  const mongodb = await startMongodb()
  try {
    return await work((place, name) => storedIn(place, mongodb.urlOf(name)))
  } finally {
    await mongodb.stop()
  }
}

/** The same workplace with a database instead of its file. */
export function storedIn(place: Workplace, database: string): Workplace {
  return {
    ...place,
    database,
    env: { ...place.env, DATABASE_URL: database },
    withStore: async (use) => {
      const store = await openMongo(database)
      try {
        return await use(store)
      } finally {
        await store.close()
      }
    },
  }
}
