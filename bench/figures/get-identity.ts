import { ratio } from '../alternate.js'
import { besideBareKoa, IDENTITY_CONNECTIONS } from '../load/identity-traffic.js'
import { atLeast, cpuNote, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
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
    const service = await startLoggedService(place, { METRICS_PORT: '0' })
    const { ours, bare } = await besideBareKoa('get-identity', service, asking.map(identityHeaders), run)
    const throughput = ratio(ours, bare, (round) => round.perSecond)
    return {
      setting: `${thousands(SESSIONS)} sessions in the store, ${thousands(asking.length)} of them requested in turn, ${IDENTITY_CONNECTIONS} connections; a line of the log for each request, and metrics.`,
      columns: TRAFFIC_COLUMNS,
      rows: [trafficRow(ours), trafficRow(bare)],
      claims: [
        atLeast('requests per second of bare Koa', 0.45, throughput, { short: 'get-identity of bare Koa' }),
      ],
      notes: [cpuNote(ours, bare)],
    }
  })
}
