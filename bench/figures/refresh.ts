import { join } from 'node:path'
import type { Commits } from '../bare/commits.js'
import { refreshing, SESSIONS_PER_ROUND } from '../load/reading.js'
import type { ServerTraffic } from '../load/traffic.js'
import { reportOf, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../store/stores.js'
import { runJob } from '../workplace/processes.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const WIDE = 16
const ROUNDS = { usual: 5, quick: 2 }

/** Compares refreshes by one client and by many clients with durable commits to a different file in the same folder. */
export async function measureRefresh(run: Run): Promise<Report> {
  const { seconds } = run
  return await inWorkplace(async (place) => {
    const each = (run.rounds(ROUNDS) + 1) * SESSIONS_PER_ROUND
    const clients = await fillSessions(place, 2 * each)
    const service = await startLoggedService(place)
    const [forOne, forMany] = [clients.slice(0, each), clients.slice(each)]
    const commits: Commits = { path: join(place.folder, 'bare.db'), seconds }
    const [alone, bare, wide] = await run.alternate(
      [
        refreshing('refresh, 1 client', service, { clients: forOne, connections: 1 }, run),
        {
          name: 'bare commits, one after the other',
          round: () => runJob<ServerTraffic>('bare/commits', 'server', commits),
        },
        refreshing(`refresh, ${WIDE} clients`, service, { clients: forMany, connections: WIDE }, run),
      ],
      ROUNDS,
    )
    await service.stop()
    return reportOf(
      'The peer updates and commits one row after another in a file next to the store (WAL, `synchronous=FULL`).',
      [
        { name: 'refresh, 1 client, relative to bare commits', ours: alone, peer: bare, clockGoal: 0.4 },
        {
          name: `refresh, ${WIDE} clients, relative to bare commits`,
          ours: wide,
          peer: bare,
          clockGoal: 0.9,
        },
      ],
    )
  })
}
