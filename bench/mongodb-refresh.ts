import { alternate, ratio, type Contestant, type ServerTraffic } from './alternate.js'
import type { BareUpdates } from './bare-mongodb-updates.js'
import { onMongodb } from './mongodb-workplace.js'
import { runJob } from './processes.js'
import { refreshing, SESSIONS_PER_ROUND } from './refreshing.js'
import { atLeast, trafficRow, TRAFFIC_COLUMNS, type Options, type Report } from './report.js'
import { seedAccounts, seedSessions } from './seed.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'
import type { Workplace } from './workplace.js'

const ACCOUNTS = 1000
const WIDE = 16

/** Refreshes by one client and by many, each against as many bare updates at once. */
export async function measureMongodbRefresh({ quick }: Options): Promise<Report> {
  const rounds = quick ? 2 : 5
  const seconds = quick ? 1 : 4
  return await onMongodb(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, ACCOUNTS)
      return await seedSessions(place, store, accounts, 2 * (rounds + 1) * SESSIONS_PER_ROUND)
    })
    const service = await startService(place)
    const half = clients.length / 2
    const [alone, bareAlone, wide, bareWide] = await alternate<ServerTraffic>(
      [
        refreshing('refresh, 1 client', service, {
          clients: clients.slice(0, half),
          connections: 1,
          seconds,
        }),
        updating(place, seconds, 1),
        refreshing(`refresh, ${WIDE} clients`, service, {
          clients: clients.slice(half),
          connections: WIDE,
          seconds,
        }),
        updating(place, seconds, WIDE),
      ],
      rounds,
    )
    await service.stop()
    if (!alone || !bareAlone || !wide || !bareWide) throw new Error('four were measured')
    const perSecond = (round: ServerTraffic) => round.perSecond
    return {
      title: 'MongoDB: POST /api/auth/refresh',
      columns: TRAFFIC_COLUMNS,
      rows: [alone, bareAlone, wide, bareWide].map(trafficRow),
      claims: [
        atLeast('1 client: refreshes per bare findOneAndUpdate', 0.7, ratio(alone, bareAlone, perSecond)),
        atLeast(
          `${WIDE} clients: refreshes per bare findOneAndUpdate`,
          0.7,
          ratio(wide, bareWide, perSecond),
        ),
      ],
    }
  })
}

function updating(place: Workplace, seconds: number, width: number): Contestant<ServerTraffic> {
  const job: BareUpdates = { url: place.database, seconds, width }
  return {
    name: `bare findOneAndUpdate, ${width} at once`,
    round: async () => ({
      ...(await runJob<Traffic>('bare-mongodb-updates', 'server', job)),
      cpuMicroseconds: NaN,
    }),
  }
}
