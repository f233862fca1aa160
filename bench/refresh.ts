import { join } from 'node:path'
import { alternate, ratio, type ServerTraffic } from './alternate.js'
import type { Commits } from './bare-commits.js'
import { runJob } from './processes.js'
import { refreshing, SESSIONS_PER_ROUND } from './refreshing.js'
import { atLeast, trafficRow, TRAFFIC_COLUMNS, type Options, type Report } from './report.js'
import { seedAccounts, seedSessions } from './seed.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'
import { inWorkplace } from './workplace.js'

const ACCOUNTS = 1000
const WIDE = 16

/** Refreshes by one client and by many, against durable commits in another file of the same folder. */
export async function measureRefresh({ quick }: Options): Promise<Report> {
  const rounds = quick ? 2 : 5
  const seconds = quick ? 1 : 4
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, ACCOUNTS)
      return await seedSessions(place, store, accounts, 2 * (rounds + 1) * SESSIONS_PER_ROUND)
    })
    const service = await startService(place)
    const half = clients.length / 2
    const commits: Commits = { path: join(place.folder, 'bare.db'), seconds }
    const [alone, bare, wide] = await alternate<ServerTraffic>(
      [
        refreshing('refresh, 1 client', service, {
          clients: clients.slice(0, half),
          connections: 1,
          seconds,
        }),
        {
          name: 'bare commits, one after the other',
          round: async () => ({
            ...(await runJob<Traffic>('bare-commits', 'server', commits)),
            cpuMicroseconds: NaN,
          }),
        },
        refreshing(`refresh, ${WIDE} clients`, service, {
          clients: clients.slice(half),
          connections: WIDE,
          seconds,
        }),
      ],
      rounds,
    )
    await service.stop()
    if (!alone || !bare || !wide) throw new Error('three were measured')
    const perSecond = (round: ServerTraffic) => round.perSecond
    return {
      title: 'POST /api/auth/refresh',
      columns: TRAFFIC_COLUMNS,
      rows: [alone, wide, bare].map(trafficRow),
      claims: [
        atLeast('1 client: refreshes per bare durable commit', 0.8, ratio(alone, bare, perSecond)),
        atLeast(`${WIDE} clients: refreshes per bare durable commit`, 0.8, ratio(wide, bare, perSecond)),
      ],
    }
  })
}
