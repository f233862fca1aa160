import { join } from 'node:path'
import type { ServerTraffic } from '../alternate.js'
import type { Commits } from '../bare/commits.js'
import { reportOf } from '../comparison.js'
import { runJob } from '../workplace/processes.js'
import { refreshing, SESSIONS_PER_ROUND } from '../load/refreshing.js'
import type { Report } from '../report.js'
import type { Run } from '../run.js'
import { seedAccounts, seedSessions } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const ACCOUNTS = 1000
const WIDE = 16
const ROUNDS = { usual: 5, quick: 2 }

/** Refreshes by one client and by many, against durable commits in another file of the same folder. */
export async function measureRefresh(run: Run): Promise<Report> {
  const { seconds } = run
  const rounds = run.rounds(ROUNDS)
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, ACCOUNTS)
      return await seedSessions(place, store, accounts, 2 * (rounds + 1) * SESSIONS_PER_ROUND)
    })
    const service = await startLoggedService(place)
    const half = clients.length / 2
    const commits: Commits = { path: join(place.folder, 'bare.db'), seconds }
    const [alone, bare, wide] = await run.alternate<ServerTraffic>(
      [
        refreshing('refresh, 1 client', service, {
          clients: clients.slice(0, half),
          connections: 1,
          seconds,
        }),
        {
          name: 'bare commits, one after the other',
          round: () => runJob('bare/commits', 'server', commits),
        },
        refreshing(`refresh, ${WIDE} clients`, service, {
          clients: clients.slice(half),
          connections: WIDE,
          seconds,
        }),
      ],
      ROUNDS,
    )
    await service.stop()
    if (!alone || !bare || !wide) throw new Error('three were measured')
    return reportOf({
      figure: 'refresh',
      title: 'Refresh',
      setting:
        'The peer commits one updated row after the other in a file beside the store (WAL, `synchronous=FULL`). The service writes a line of the log for each request, and counts metrics.',
      comparisons: [
        { name: 'refresh, 1 client, of bare commits', ours: alone, peer: bare, clockGoal: 0.4 },
        { name: `refresh, ${WIDE} clients, of bare commits`, ours: wide, peer: bare, clockGoal: 0.9 },
      ],
    })
  })
}
