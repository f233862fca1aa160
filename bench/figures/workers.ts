import { availableParallelism } from 'node:os'
import { cpuSeconds, median, ratio, type Contestant, type Results } from '../alternate.js'
import type { LeanLoad, LeanTraffic } from '../load/lean-load.js'
import type { Traffic } from '../load/traffic.js'
import { atLeast, known, thousands, TRAFFIC_COLUMNS, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'
import { childrenOf, moveTo, runJob, startServer, type ServerProcess } from '../workplace/processes.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from '../workplace/seed.js'
import { APP } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const PATH = '/api/auth/get-identity'
const SESSIONS = 10_000
/** The cores at the start of this process: later Node counts only the cores that it may use then. */
const ALL_CORES = availableParallelism()
/** The total of all load processes. */
const CONNECTIONS = 64
/** Uncounted seconds for each worker: V8 compiles code depending on its number of calls in a process. */
const WARM_UP = 3

const COLUMNS = [
  ...TRAFFIC_COLUMNS,
  { name: 'their cores busy, %', digits: 0 },
  { name: 'cores of the load busy, %', digits: 0 },
]

/** The cores of a machine: one for each worker, the rest for the load and the primary process. */
type Cores = { readonly ofWorkers: readonly number[]; readonly others: readonly number[] }

/**
 * Reads of several workers of one service on one SQLite file, compared with a single worker; each worker has a separate
 * core.
 */
export async function measureWorkers(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const counts = countsOf(ALL_CORES)
    const contestants = await Promise.all(counts.map((count) => startContestant(place, count, clients, run)))
    const results = await besideTheLoad(async () => {
      for (const { warmUp } of contestants) await warmUp()
      return await run.alternate(contestants)
    })
    await Promise.all(contestants.map(({ stop }) => stop()))
    return reportOf(counts, results)
  })
}

/**
 * This process reads the logs of the services. On the core of a worker it would slow that worker down, but only if
 * there are several workers.
 */
async function besideTheLoad<T>(measure: () => Promise<T>): Promise<T> {
  const { others } = coresFor(1)
  moveTo({ cores: others }, process)
  try {
    return await measure()
  } finally {
    moveTo({ cores: allCores() }, process)
  }
}

/** One, then doubled as long as the load has as many cores. */
function countsOf(cores: number): readonly number[] {
  const doubled = Array.from({ length: 8 }, (_, index) => 2 ** index)
  return doubled.filter((count) => count === 1 || count <= cores / 2)
}

/** Traffic, and the CPU time of each process: the limit was the process without spare capacity. */
type WorkersTraffic = Traffic & {
  /** The CPU time of workers and primary process. */
  readonly cpuMicroseconds: number
  readonly primaryMicroseconds: number
  /** In percent of their cores. */
  readonly workersBusy: number
  readonly othersBusy: number
}

type Service = Contestant<WorkersTraffic> & {
  readonly warmUp: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

async function startContestant(
  place: Workplace,
  workers: number,
  clients: readonly Client[],
  { quick, seconds }: Run,
): Promise<Service> {
  const cores = coresFor(workers)
  const server = await startServer({
    args: [APP, 'serve', '--create'],
    place: { cores: cores.ofWorkers },
    env: { ...place.env, WORKERS: String(workers) },
  })
  const processes = spread(server, workers, cores)
  const fire = async (duration: number) => {
    const loads = loadsOn(server, cores, clients).map((load) => ({ ...load, seconds: duration }))
    const jobs = loads.map((load) => runJob<LeanTraffic>('load/lean-load', { cores: cores.others }, load))
    return await Promise.all(jobs)
  }
  return {
    name: workers === 1 ? 'one process' : `${workers} workers`,
    warmUp: () => fire(quick ? seconds : WARM_UP * workers),
    round: async () => await timed(processes, cores, () => fire(seconds)),
    stop: () => server.stop(),
  }
}

/** The processes that answer, and the primary process of several workers, which does not answer. */
type Processes = { readonly answering: readonly number[]; readonly primary?: number }

/** Each worker on a separate core, and the primary process on the cores of the load. */
function spread(server: ServerProcess, workers: number, { ofWorkers, others }: Cores): Processes {
  if (workers === 1) return { answering: [server.pid] }
  moveTo({ cores: others }, server)
  const children = childrenOf(server)
  for (const [index, child] of children.entries()) moveTo({ cores: ofWorkers.slice(index, index + 1) }, child)
  return { answering: children.map(({ pid }) => pid), primary: server.pid }
}

/** One load process on each remaining core, each with its share of connections and clients. */
function loadsOn({ address }: ServerProcess, { others }: Cores, clients: readonly Client[]) {
  return others.map((_, index): Omit<LeanLoad, 'seconds'> => {
    const share = clients.filter((_client, at) => at % others.length === index)
    const requests = share.map((client) => ({
      method: 'GET' as const,
      path: PATH,
      headers: identityHeaders(client),
    }))
    return { address, connections: CONNECTIONS / others.length, requests }
  })
}

async function timed(
  { answering, primary }: Processes,
  { ofWorkers, others }: Cores,
  load: () => Promise<readonly LeanTraffic[]>,
): Promise<WorkersTraffic> {
  const spent = () => ({
    answering: answering.reduce((total, pid) => total + cpuSeconds(pid), 0),
    primary: primary === undefined ? 0 : cpuSeconds(primary),
  })
  const before = spent()
  const parts = await load()
  const after = spent()
  const ofAnswering = after.answering - before.answering
  const ofPrimary = after.primary - before.primary
  const ofLoad = parts.reduce((total, part) => total + part.cpuSeconds, 0)
  const traffic = together(parts)
  const seconds = traffic.count / traffic.perSecond
  return {
    ...traffic,
    cpuMicroseconds: ((ofAnswering + ofPrimary) / traffic.count) * 1e6,
    primaryMicroseconds: (ofPrimary / traffic.count) * 1e6,
    workersBusy: (100 * ofAnswering) / (seconds * ofWorkers.length),
    othersBusy: (100 * (ofLoad + ofPrimary)) / (seconds * others.length),
  }
}

/** The load has the upper half of the cores, for any number of workers. */
function coresFor(workers: number): Cores {
  const all = allCores()
  const half = Math.floor(all.length / 2)
  return { ofWorkers: all.slice(0, workers), others: half === 0 ? all : all.slice(half) }
}

function allCores(): readonly number[] {
  return Array.from({ length: ALL_CORES }, (_, core) => core)
}

/** Adds up the parts; each latency is the highest of all parts. */
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

function reportOf(counts: readonly number[], results: readonly Results<WorkersTraffic>[]): Report {
  const [one, ...several] = results
  if (!one) throw new Error('one process was measured')
  const perOne = several.map((many) => ratio(many, one, ({ perSecond }) => perSecond))
  const points = [1, ...perOne].map((times, index) => [counts[index] ?? 1, times] as const)
  return {
    setting: `get-identity on SQLite, ${thousands(SESSIONS)} sessions, ${CONNECTIONS} connections; each worker has a core, and the load and the primary process have the upper half of ${ALL_CORES} cores.`,
    columns: COLUMNS,
    rows: results.map(rowOf),
    notes: several.map(
      ({ name, rounds }) =>
        `${name}: the primary process takes ${median(rounds.map(({ primaryMicroseconds }) => primaryMicroseconds)).toFixed(1)} of the CPU µs of a request`,
    ),
    claims: perOne.map((times, index) => {
      const workers = counts[index + 1] ?? NaN
      const short = `reads of ${workers} workers per read of one`
      return atLeast(`reads of ${workers} workers per read of one process`, 0.95 * workers, times, { short })
    }),
    charts: [
      {
        kind: 'lines',
        name: 'workers-reads',
        title: 'Reads by workers',
        about: 'Reads of several workers per read of one process; the dashed line is one for each worker.',
        x: { name: 'workers' },
        y: { name: 'reads per read of one' },
        lines: [
          { name: 'measured', points },
          { name: 'one for each', points: counts.map((count) => [count, count] as const), dashed: true },
        ],
      },
    ],
  }
}

function rowOf({ name, rounds }: Results<WorkersTraffic>): Row {
  const of = (read: (round: WorkersTraffic) => number) => known(median(rounds.map(read)))
  return {
    name,
    values: [
      of(({ perSecond }) => perSecond),
      of(({ p50 }) => p50),
      of(({ p99 }) => p99),
      of(({ cpuMicroseconds }) => cpuMicroseconds),
      of(({ workersBusy }) => workersBusy),
      of(({ othersBusy }) => othersBusy),
    ],
  }
}
