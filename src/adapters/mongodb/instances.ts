import { VERSION as RELEASE } from '../../domain/version.js'
import type { Instance } from '../../domain/upgrade.js'
import { KEPT_FOR, type InstanceRecords } from '../instances.js'
import type { Database } from './database.js'
import { readMark, VERSION } from './schema.js'
import { upserting } from './writes.js'

/**
 * `put` reads the schema mark after it writes the record, and `upgrade finish` reads the records after it writes the mark, so the later
 * call detects the earlier call.
 */
export function createInstances(database: Database): InstanceRecords {
  const { instances, run } = database
  return {
    put: (id, servedAt) =>
      run(async () => {
        const record = { $set: { release: RELEASE, schema: VERSION, servedAt } }
        await upserting(() => instances.updateOne({ _id: id }, record, { upsert: true }))
        await instances.deleteMany({ servedAt: { $lt: servedAt - KEPT_FOR } })
        await readMark(database)
      }),
    remove: (id) =>
      run(async () => {
        await instances.deleteOne({ _id: id })
      }),
  }
}

export async function readInstances({ instances }: Database): Promise<readonly Instance[]> {
  const found = await instances.find({}, { sort: { _id: 1 } }).toArray()
  return found.map(({ _id: id, release, schema, servedAt }) => ({ id, release, schema, servedAt }))
}
