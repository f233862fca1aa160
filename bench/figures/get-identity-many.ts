import { measureIdentityAtRandom } from '../load/identity-at-random.js'
import type { Report } from '../report.js'
import type { Run } from '../run.js'

const BUSYNESS = {
  figure: 'get-identity-many',
  name: 'get-identity, 100,000 sessions, of bare Koa',
  sessions: 100_000,
  refreshesPerSecond: 0,
  goal: 0.8,
}

/** Many sessions in random order, without writes. */
export async function measureGetIdentityMany(run: Run): Promise<Report> {
  return await measureIdentityAtRandom(BUSYNESS, run)
}
