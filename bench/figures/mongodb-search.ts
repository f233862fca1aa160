import type { Report } from '../report.js'
import type { Run } from '../run.js'
import { measureSearches } from '../scale/searching.js'
import { onMongodb } from '../workplace/mongodb-workplace.js'

/** The cost of a search among a million accounts in a MongoDB database. */
export async function measureMongodbSearch(run: Run): Promise<Report> {
  return await onMongodb((place) => measureSearches(place, run))
}
