import type { Contestant, ServerTraffic } from '../alternate.js'
import type { BareUpdates } from '../bare/mongodb-updates.js'
import { reportOf } from '../comparison.js'
import { onMongodb } from '../workplace/mongodb-workplace.js'
import { runJob } from '../workplace/processes.js'
import { refreshing, SESSIONS_PER_ROUND } from '../load/refreshing.js'
import type { Report } from '../report.js'
import type { Run } from '../run.js'
import { seedAccounts, seedSessions } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import type { Workplace } from '../workplace/workplace.js'

const ACCOUNTS = 1000
const WIDE = 16
const ROUNDS = { usual: 5, quick: 2 }

/** Refreshes by one client and by many, each against the same number of concurrent bare updates. */
export async function measureMongodbRefresh(run: Run): Promise<Report> {
  const { seconds } = run
  const rounds = run.rounds(ROUNDS)
  return await onMongodb(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, ACCOUNTS)
      return await seedSessions(place, store, accounts, 2 * (rounds + 1) * SESSIONS_PER_ROUND)
    })
    const service = await startLoggedService(place)
    const half = clients.length / 2
    const [alone, bareAlone, wide, bareWide] = await run.alternate<ServerTraffic>(
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
      ROUNDS,
    )
    await service.stop()
    if (!alone || !bareAlone || !wide || !bareWide) throw new Error('four were measured')
    return reportOf({
      figure: 'mongodb-refresh',
      title: 'Refresh on MongoDB',
      setting:
        'Beside `findOneAndUpdate` of one document by its id with `w: majority` and the journal; a replica set of one server. The service writes a line of the log for each request, and counts metrics.',
      comparisons: [
        { name: 'MongoDB refresh, 1 client, of bare updates', ours: alone, peer: bareAlone, clockGoal: 0.7 },
        {
          name: `MongoDB refresh, ${WIDE} clients, of bare updates`,
          ours: wide,
          peer: bareWide,
          clockGoal: 0.65,
        },
      ],
    })
  })
}

function updating(place: Workplace, seconds: number, width: number): Contestant<ServerTraffic> {
  const job: BareUpdates = { url: place.database, seconds, width }
  return {
    name: `bare findOneAndUpdate, ${width} concurrent`,
    round: () => runJob('bare/mongodb-updates', 'server', job),
  }
}
