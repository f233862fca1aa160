import { availableParallelism } from 'node:os'
import type { Load } from '../load/load.js'
import { identityRequest, type Request } from '../load/requests.js'
import type { ServerTraffic, Traffic } from '../load/traffic.js'
import { atLeast, perSecondOf, thousands, trafficRow, type Report } from '../report.js'
import { ratio, type Contestant, type Run } from '../run.js'
import { fillSessions } from '../store/stores.js'
import { childrenOf, cpuSeconds, moveTo, runJob, startServer } from '../workplace/processes.js'
import { APP } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const SESSIONS = 10_000
/** The cores at the start of this process; later, Node counts only the cores that it may still use. */
const CORES = Array.from({ length: availableParallelism() }, (_, core) => core)
/** The cores for the load and the primary process: the upper half, regardless of the number of workers. */
const OTHERS = CORES.slice(Math.floor(CORES.length / 2))
/** The number of connections from all load processes together. */
const CONNECTIONS = 64
/** Seconds of warm-up for each worker, because V8 optimizes only code that runs often in the same process. */
const WARM_UP = 3

/** Compares reads by several workers on one SQLite file with reads by a single process; each worker has a separate core. */
export async function measureWorkers(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const requests = (await fillSessions(place, SESSIONS)).map(identityRequest)
    // Doubles the number of workers while at least as many cores remain for the load.
    const counts = [1, 2, 4, 8, 16].filter((count) => count === 1 || count <= CORES.length / 2)
    const services = await Promise.all(counts.map((count) => startWorkers(place, count, requests, run)))
    // This process reads the logs of the services, so it must not run on the core of a worker.
    moveTo(OTHERS, process)
    for (const { warmUp } of services) await warmUp()
    const [one, ...several] = await run.alternate(services)
    moveTo(CORES, process)
    await Promise.all(services.map(({ stop }) => stop()))
    if (!one) throw new Error('one process was measured')
    return {
      setting: `get-identity, ${thousands(SESSIONS)} sessions, ${CONNECTIONS} connections; each worker has its own core; the load and the primary process share the upper half of ${CORES.length} cores.`,
      rows: [one, ...several].map(trafficRow),
      claims: several.map((many, index) => {
        const workers = counts[index + 1] ?? NaN
        const times = ratio(many, one, perSecondOf)
        return atLeast(`reads by ${workers} workers, relative to one process`, 0.95 * workers, times)
      }),
    }
  })
}

type Workers = Contestant<ServerTraffic> & {
  readonly warmUp: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

async function startWorkers(
  place: Workplace,
  count: number,
  requests: readonly Request[],
  { quick, seconds }: Run,
): Promise<Workers> {
  const server = await startServer({
    args: [APP, 'serve', '--create'],
    place: { cores: CORES.slice(0, count) },
    env: { ...place.env, WORKERS: String(count) },
  })
  const children = childrenOf(server)
  if (count > 1) moveTo(OTHERS, server)
  for (const [core, child] of children.entries()) moveTo([core], child)
  const spent = () => [server, ...children].reduce((total, one) => total + cpuSeconds(one), 0)
  // Runs one load process on each of the other cores, each with its share of the connections and clients.
  const fire = (duration: number) =>
    Promise.all(
      OTHERS.map((_, index) => {
        const share = requests.filter((_request, at) => at % OTHERS.length === index)
        const connections = CONNECTIONS / OTHERS.length
        const load: Load = { address: server.address, connections, requests: share, seconds: duration }
        return runJob<Traffic>('load/load', { cores: OTHERS }, load)
      }),
    )
  return {
    name: count === 1 ? 'one process' : `${count} workers`,
    warmUp: () => fire(quick ? seconds : WARM_UP * count),
    round: async () => {
      const before = spent()
      const traffic = together(await fire(seconds))
      return { ...traffic, cpuMicroseconds: ((spent() - before) / traffic.count) * 1e6 }
    },
    stop: () => server.stop(),
  }
}

/** Adds up the results, and uses the highest of each latency. */
function together(parts: readonly Traffic[]): Traffic {
  const sum = (read: (one: Traffic) => number) => parts.reduce((total, one) => total + read(one), 0)
  const most = (read: (one: Traffic) => number) => Math.max(...parts.map(read))
  return {
    count: sum(({ count }) => count),
    perSecond: sum(perSecondOf),
    p50: most(({ p50 }) => p50),
    p99: most(({ p99 }) => p99),
  }
}
