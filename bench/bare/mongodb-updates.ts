import { MongoClient } from 'mongodb'
import { readJob } from '../workplace/processes.js'
import { createLoopStopwatch } from '../load/traffic.js'

export type BareUpdates = { readonly url: string; readonly seconds: number; readonly width: number }

/** The peer of refresh: `findOneAndUpdate` of one document by its id, confirmed by a majority, and nothing else. */
const DOCUMENTS = 1000
const { url, seconds, width } = await readJob<BareUpdates>()
const client = await new MongoClient(url, {
  maxPoolSize: 50,
  writeConcern: { w: 'majority', journal: true },
}).connect()
const counters = client.db().collection<{ _id: number; count: number }>('bare')
await counters.deleteMany({})
await counters.insertMany(Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, count: 0 })))
const stopwatch = createLoopStopwatch()
const until = performance.now() + seconds * 1000
let count = 0

async function updateUntilEnd(): Promise<void> {
  while (performance.now() < until) {
    count += 1
    const at = performance.now()
    await counters.findOneAndUpdate({ _id: count % DOCUMENTS }, { $inc: { count: 1 } })
    stopwatch.record(performance.now() - at)
  }
}

await Promise.all(Array.from({ length: width }, updateUntilEnd))
await client.close()
console.log(JSON.stringify(stopwatch.read()))
