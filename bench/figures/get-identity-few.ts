import { measureIdentityAtRandom } from '../load/identity-at-random.js'
import type { Report } from '../report.js'
import type { Run } from '../run.js'

const BUSYNESS = {
  figure: 'get-identity-few',
  name: 'get-identity, 8 sessions, of bare Koa',
  sessions: 8,
  refreshesPerSecond: 0,
  goal: 1.2,
}

/** A few sessions in random order, without writes. */
export async function measureGetIdentityFew(run: Run): Promise<Report> {
  return await measureIdentityAtRandom(BUSYNESS, run)
}
