import { measureIdentityAtRandom } from '../load/identity-at-random.js'
import type { Report } from '../report.js'
import type { Run } from '../run.js'

const BUSYNESS = {
  figure: 'get-identity-busy',
  name: 'busy get-identity of bare Koa',
  sessions: 100_000,
  refreshesPerSecond: 100,
  goal: 0.6,
}

/** Many sessions in random order, while other sessions are refreshed. */
export async function measureGetIdentityBusy(run: Run): Promise<Report> {
  return await measureIdentityAtRandom(BUSYNESS, run)
}
