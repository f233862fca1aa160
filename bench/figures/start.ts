import { atMost, type Report } from '../report.js'
import { median, type Contestant, type Results, type Run } from '../run.js'
import { runToEnd, startServer, type Place, type ServerProcess } from '../workplace/processes.js'
import { ask } from '../workplace/reply.js'
import { APP } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

/**
 * The maximum times, as multiples of an empty process's time. From Node 24 on, an empty process takes longer, and Node
 * caches our compiled code.
 */
const GOALS =
  Number.parseInt(process.versions.node) >= 24 ? { ready: 9, roleList: 6 } : { ready: 12, roleList: 8 }
/** The maximum multiple if both processes may use only one core. */
const ON_ONE_CORE = 10

/** Measures how long a service needs to start (on all cores and on one core) and how long a command takes, as ratios to an empty Node process. */
export async function measureStart(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    // Creates the store, because the service does so only on request.
    await place.withStore(() => Promise.resolve())
    const ended = (name: string, args: readonly string[], on: Place = 'anywhere'): Contestant<number> => ({
      name,
      round: () => timed(() => runToEnd(args, on, place.env)),
    })
    const [ready, roleList, empty, readyAlone, emptyAlone] = await run.alternate(
      [
        { name: 'app serve', round: () => untilReady(place, 'anywhere') },
        ended('app role list', [APP, 'role', 'list']),
        ended('empty process', ['-e', '0']),
        { name: 'app serve, on one core', round: () => untilReady(place, 'server') },
        ended('empty process, on one core', ['-e', '0'], 'server'),
      ],
      { usual: 10, quick: 3 },
    )
    const times = (one: Results<number>, other: Results<number>) => median(one.rounds) / median(other.rounds)
    const claim = (what: string, goal: number, value: number) =>
      atMost(`${what}, relative to an empty process`, goal, value, { digits: 1 })
    return {
      setting:
        'Time from the start of `app serve` to the first 200 from `/health/ready`; for other commands, the time until they exit. "On one core" means that the process may use only one core.',
      columns: [{ name: 'median ms', digits: 0 }],
      rows: [ready, roleList, empty, readyAlone, emptyAlone].map((one) => ({
        name: one.name,
        values: [median(one.rounds)],
      })),
      claims: [
        claim('time until ready on one core', ON_ONE_CORE, times(readyAlone, emptyAlone)),
        claim('time until ready', GOALS.ready, times(ready, empty)),
        claim('app role list', GOALS.roleList, times(roleList, empty)),
      ],
    }
  })
}

async function untilReady({ env }: Workplace, place: Place): Promise<number> {
  let service: ServerProcess | undefined
  const time = await timed(async () => {
    service = await startServer({ args: [APP, 'serve'], place, env })
    const { status } = await ask(`${service.address}/health/ready`, {})
    if (status !== 200) throw new Error(`not ready: ${status}`)
  })
  await service?.stop()
  return time
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
