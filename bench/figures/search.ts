import type { Report } from '../report.js'
import type { Run } from '../run.js'
import { measureSearches } from '../scale/searching.js'
import { inWorkplace } from '../workplace/workplace.js'

/** The cost of a search among a million accounts in an SQLite file. */
export async function measureSearch(run: Run): Promise<Report> {
  return await inWorkplace((place) => measureSearches(place, run))
}
