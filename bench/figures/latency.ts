import { median, type Contestant, type Results } from '../alternate.js'
import { CONNECTIONS, identitiesOf, IDENTITY_PATH, reading } from '../load/reading.js'
import type { SteadyLoad } from '../load/steady-load.js'
import type { Traffic } from '../load/traffic.js'
import { thousands, type Lines, type Report } from '../report.js'
import type { Run } from '../run.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import type { Headers } from '../workplace/reply.js'
import { identityHeaders, seedAccounts, seedSessions } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const SESSIONS = 10_000
/** Shares of the service's throughput when each request follows the reply to the previous one. */
const SHARES = [0.1, 0.3, 0.5, 0.7, 0.8]
const ROUNDS = { usual: 3, quick: 1 }

type Step = { readonly share: number; readonly perSecond: number; readonly p50: number; readonly p99: number }

/** The latency of requests at a steady rate, for growing rates, without waiting for earlier replies. */
export async function measureLatency(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const headers = clients.map(identityHeaders)
    const service = await startService(place)
    const most = await mostPerSecond(service, headers, run)
    const results = await run.alternate(
      SHARES.map((share) => steady(service, headers, share * most, run)),
      ROUNDS,
    )
    await service.stop()
    const steps = results.map((result, index) => stepOf(result, SHARES[index] ?? NaN))
    return {
      setting: `get-identity of ${thousands(SESSIONS)} sessions. If each of ${CONNECTIONS} clients sends the next request after each reply, the service answers ${thousands(Math.round(most))} requests in a second. Here a share of these requests comes at a steady pace, and the time of each request begins when it was due.`,
      columns: [
        { name: 'requests/s', digits: 0 },
        { name: 'p50 ms', digits: 2 },
        { name: 'p99 ms', digits: 2 },
      ],
      rows: steps.map(({ share, perSecond, p50, p99 }) => ({
        name: `${Math.round(100 * share)} %`,
        values: [perSecond, p50, p99],
      })),
      claims: [],
      charts: [chartOf(steps)],
    }
  })
}

async function mostPerSecond(service: ServerProcess, headers: readonly Headers[], run: Run): Promise<number> {
  const [most] = await run.alternate([reading('get-identity', service, identitiesOf(headers), run)], {
    usual: 1,
    quick: 1,
  })
  return median(most?.rounds.map(({ perSecond }) => perSecond) ?? [])
}

function steady(
  { address }: ServerProcess,
  clients: readonly Headers[],
  perSecond: number,
  { seconds }: Run,
): Contestant<Traffic> {
  const load: SteadyLoad = { address, path: IDENTITY_PATH, clients, perSecond, seconds }
  return {
    name: `${Math.round(perSecond)} a second`,
    round: () => runJob('load/steady-load', 'load', load),
  }
}

function stepOf({ rounds }: Results<Traffic>, share: number): Step {
  const of = (read: (round: Traffic) => number) => median(rounds.map(read))
  return {
    share,
    perSecond: of((one) => one.perSecond),
    p50: of((one) => one.p50),
    p99: of((one) => one.p99),
  }
}

function chartOf(steps: readonly Step[]): Lines {
  const line = (name: string, of: (step: Step) => number) => ({
    name,
    points: steps.map((step) => [step.perSecond, of(step)] as const),
  })
  return {
    kind: 'lines',
    name: 'latency-under-load',
    title: 'get-identity: latency under load',
    about: 'How many milliseconds half of the requests, and 99 of 100, take at most the more of them come.',
    x: { name: 'requests a second' },
    y: { name: 'ms', scale: 'log' },
    lines: [line('half of them', ({ p50 }) => p50), line('99 of 100', ({ p99 }) => p99)],
  }
}
