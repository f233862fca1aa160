import type { Report } from '../report.js'
import type { Run } from '../run.js'
import { measureScale } from '../scale/measure.js'
import { withMongodb } from '../workplace/mongodb-workplace.js'

const FULL = { pets: 1_000_000, accounts: 100_000, sessions: 100_000, auditRecords: 100_000 }

/** The costs that grow with the size of a MongoDB database, with a separate database for each size on one server. */
export async function measureMongodbScale(run: Run): Promise<Report> {
  return await withMongodb(async (inDatabase) => {
    let databases = 0
    return await measureScale('mongodb-scale', FULL, run, (place) =>
      inDatabase(place, `kennel-scale-${process.pid}-${(databases += 1)}`),
    )
  })
}
