import { reportOf } from '../comparison.js'
import { besideBareKoa, CONNECTIONS, identitiesOf } from '../load/reading.js'
import { thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { identityHeaders, seedAccounts, seedSessions } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const SESSIONS = 10_000

/**
 * get-identity, stateful, from SQLite, with log and metrics, against bare Koa; each connection has separate sessions.
 */
export async function measureGetIdentity(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    // The account IDs have the same number of digits, so that all replies are equally long.
    const asking = clients.slice(SESSIONS / 10)
    const service = await startLoggedService(place)
    const requests = identitiesOf(asking.map(identityHeaders))
    const sides = await besideBareKoa('get-identity', service, requests, run)
    return reportOf({
      figure: 'get-identity',
      title: 'get-identity, warm',
      setting: `${thousands(SESSIONS)} sessions in the store, ${thousands(asking.length)} of them requested in turn, ${CONNECTIONS} connections; a line of the log for each request, and metrics.`,
      comparisons: [{ name: 'warm get-identity of bare Koa', ...sides, clockGoal: 0.45 }],
    })
  })
}
