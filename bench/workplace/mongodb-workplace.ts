import { openMongo } from '../../src/adapters/mongodb/store.js'
import { startMongodb } from './mongodb-server.js'
import { inWorkplace, type Workplace } from './workplace.js'

/** Does the work in a workplace whose store is a database on a real MongoDB server. */
export async function onMongodb<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
  const mongodb = await startMongodb()
  try {
    return await inWorkplace(async (place) => {
      const database = mongodb.urlOf(`kennel-bench-${process.pid}`)
      return await work({
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
      })
    })
  } finally {
    await mongodb.stop()
  }
}
