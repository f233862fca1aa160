import { availableParallelism } from 'node:os'
import { ratio, type Contestant, type Results } from '../alternate.js'
import type { Load } from '../load/load.js'
import type { Traffic } from '../load/traffic.js'
import { atLeast, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { moveTo, runJob, startServer } from '../workplace/processes.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from '../workplace/seed.js'
import { APP } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const PATH = '/api/auth/get-identity'
const SESSIONS = 10_000
/** Of all load processes together. */
const CONNECTIONS = 64

/** How the cores of a machine are shared out: one for each worker, the rest for the load and the primary process. */
type Cores = { readonly ofWorkers: readonly number[]; readonly others: readonly number[] }

/** Reads of several workers of one service on one SQLite file beside those of one, each worker with a core for itself. */
export async function measureWorkers(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const counts = countsOf(availableParallelism())
    const contestants = await Promise.all(counts.map((count) => startContestant(place, count, clients, run)))
    const results = await run.alternate(contestants)
    await Promise.all(contestants.map(({ stop }) => stop()))
    return reportOf(counts, results)
  })
}

/** One, and doubled for as long as there are as many cores for the load. */
function countsOf(cores: number): readonly number[] {
  const doubled = Array.from({ length: 8 }, (_, index) => 2 ** index)
  return doubled.filter((count) => count === 1 || count <= cores / 2)
}

type Service = Contestant<Traffic> & { readonly stop: () => Promise<void> }

async function startContestant(
  place: Workplace,
  workers: number,
  clients: readonly Client[],
  { seconds }: Run,
): Promise<Service> {
  const cores = coresFor(workers)
  const server = await startServer({
    args: [APP, 'serve'],
    place: { cores: cores.ofWorkers },
    env: { ...place.env, WORKERS: String(workers) },
  })
  if (workers > 1) moveTo({ cores: cores.others }, server)
  const loads = cores.others.map((_, index): Load => {
    const share = clients.filter((_client, at) => at % cores.others.length === index)
    const requests = share.map((client) => ({
      method: 'GET' as const,
      path: PATH,
      headers: identityHeaders(client),
    }))
    return { address: server.address, connections: CONNECTIONS / cores.others.length, requests, seconds }
  })
  return {
    name: workers === 1 ? 'one process' : `${workers} workers`,
    round: async () => {
      const at = { cores: cores.others }
      return together(await Promise.all(loads.map((load) => runJob<Traffic>('load/load', at, load))))
    },
    stop: () => server.stop(),
  }
}

/** The load has the upper half of the cores, however many workers there are. */
function coresFor(workers: number): Cores {
  const all = Array.from({ length: availableParallelism() }, (_, core) => core)
  const half = Math.floor(all.length / 2)
  return { ofWorkers: all.slice(0, workers), others: half === 0 ? all : all.slice(half) }
}

/** The latencies are those of the slower half. */
function together(parts: readonly Traffic[]): Traffic {
  const sum = (read: (one: Traffic) => number) => parts.reduce((total, one) => total + read(one), 0)
  const most = (read: (one: Traffic) => number) => Math.max(...parts.map(read))
  return {
    count: sum(({ count }) => count),
    perSecond: sum(({ perSecond }) => perSecond),
    p50: most(({ p50 }) => p50),
    p99: most(({ p99 }) => p99),
  }
}

function reportOf(counts: readonly number[], results: readonly Results<Traffic>[]): Report {
  const [one, ...several] = results
  if (!one) throw new Error('one process was measured')
  const perOne = several.map((many) => ratio(many, one, ({ perSecond }) => perSecond))
  const points = [1, ...perOne].map((times, index) => [counts[index] ?? 1, times] as const)
  return {
    setting: `get-identity on SQLite, ${thousands(SESSIONS)} sessions, ${CONNECTIONS} connections; each worker has a core, and the load and the primary process have the upper half of ${availableParallelism()} cores.`,
    columns: [
      { name: 'requests/s', digits: 0 },
      { name: 'p50 ms', digits: 2 },
      { name: 'p99 ms', digits: 2 },
    ],
    rows: results.map(({ name, rounds }) => ({ name, values: bestOf(rounds) })),
    claims: perOne.map((times, index) => {
      const workers = counts[index + 1] ?? NaN
      const short = `reads of ${workers} workers per those of one`
      return atLeast(`reads of ${workers} workers per those of one process`, 0.95 * workers, times, { short })
    }),
    charts: [
      {
        kind: 'lines',
        name: 'workers-reads',
        title: 'Reads by workers',
        about: 'Reads of several workers per those of one process; the dashed line is one for each worker.',
        x: { name: 'workers' },
        y: { name: 'reads per those of one' },
        lines: [
          { name: 'measured', points },
          { name: 'one for each', points: counts.map((count) => [count, count] as const), dashed: true },
        ],
      },
    ],
  }
}

/** Of the round with the most throughput. */
function bestOf(rounds: readonly Traffic[]): readonly number[] {
  const [best] = rounds.toSorted((a, b) => b.perSecond - a.perSecond)
  return best ? [best.perSecond, best.p50, best.p99] : []
}
