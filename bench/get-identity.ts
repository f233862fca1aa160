import { ratio } from './alternate.js'
import { besideBareKoa, IDENTITY_CONNECTIONS } from './identity-traffic.js'
import { atLeast, cpuNote, trafficRow, TRAFFIC_COLUMNS, type Options, type Report } from './report.js'
import { identityHeaders, seedAccounts, seedSessions } from './seed.js'
import { startService } from './service.js'
import { inWorkplace } from './workplace.js'

const SESSIONS = 10_000

/** The current identity, stateful and from SQLite, against bare Koa; each connection has sessions of its own. */
export async function measureGetIdentity({ quick }: Options): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    // Their account ids have the same number of digits, so that all replies are equally long.
    const asking = clients.slice(SESSIONS / 10)
    const service = await startService(place)
    const { ours, bare } = await besideBareKoa('get-identity', service, asking.map(identityHeaders), quick)
    const throughput = ratio(ours, bare, (round) => round.perSecond)
    return {
      title: `get-identity, ${SESSIONS} sessions, ${IDENTITY_CONNECTIONS} connections`,
      columns: TRAFFIC_COLUMNS,
      rows: [trafficRow(ours), trafficRow(bare)],
      claims: [
        atLeast('requests per second of bare Koa', 0.35, throughput),
        atLeast('aim: requests per second of bare Koa', 0.45, throughput),
      ],
      notes: [cpuNote(ours, bare)],
    }
  })
}
