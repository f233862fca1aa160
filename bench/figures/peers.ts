import { setTimeout as pause } from 'node:timers/promises'
import { median, ratio, withCpu, type Contestant, type Results, type ServerTraffic } from '../alternate.js'
import type { Load } from '../load/load.js'
import { refreshing, SESSIONS_PER_ROUND } from '../load/refreshing.js'
import { checkIdentities, send } from '../load/replies.js'
import type { Traffic } from '../load/traffic.js'
import { numberOf } from '../page/text.js'
import { known, thousands, type Bars, type Report, type Row, type Value } from '../report.js'
import type { Rounds, Run } from '../run.js'
import { installPeers, peerVersions, withCachedSession, type PeerSettings } from '../workplace/peers.js'
import { residentMebibytes, runJob, type ServerProcess } from '../workplace/processes.js'
import { PASSWORD } from '../workplace/logins.js'
import { NAMES, seedSides, withStatelessKennel, type Side } from '../workplace/sides.js'
import { inWorkplace } from '../workplace/workplace.js'

const CONNECTIONS = 32
/** Each hash takes a good part of a second of the single core of a server here. */
const LOGINS = 4
/** The number of clients of each side whose identity is checked before the measurement. */
const CHECKED = 20
const ROUNDS: Rounds = { usual: 3, quick: 1 }
/** Milliseconds after the first reply until garbage of the start has been collected. */
const QUIET = 1000

/** The result of one job: a value for each side, and the ratio of Kennel to each peer. */
type Part = {
  readonly rows: readonly Row[]
  readonly ratios: readonly Row[]
  /** The same ratios by CPU time of the servers, which other load on the machine barely changes. */
  readonly cpuRatios: readonly Row[]
}

/** The same jobs done by Kennel and by common alternatives, each on the same core in turn. */
export async function measurePeers(run: Run): Promise<Report> {
  installPeers()
  const accounts = run.quick ? 1_000 : 10_000
  return await inWorkplace(async (place) => {
    const sides = await seedSides(place, accounts)
    const parts = [
      await identityPart(sides, run),
      await withStatelessKennel(accounts, (kennel) => statelessPart([kennel, ...sides.slice(1)], run)),
      await loginPart(sides, run),
      await startPart(sides, run),
      // Last, because other jobs cannot use the refreshed credentials.
      await refreshPart(sides, run),
    ]
    const versions = Object.entries(peerVersions()).map(([name, version]) => `${name} ${version}`)
    return {
      setting: `${thousands(accounts)} accounts with a login each, ${CONNECTIONS} connections (login: ${LOGINS}), ${run.rounds(ROUNDS)} rounds; each server in turn on the same core.`,
      columns: NAMES.map((name) => ({ name })),
      rows: parts.flatMap(({ rows, ratios, cpuRatios }) => [
        ...rows,
        ...ratios.map(({ name, values }) => ({ name: `**${name}: Kennel per peer**`, values })),
        ...cpuRatios.map(({ name, values }) => ({ name: `**${name}: the same by CPU time**`, values })),
      ]),
      claims: [],
      headline: headlineOf(parts),
      charts: [
        {
          kind: 'bars',
          name: 'peers-ratios',
          title: 'Kennel beside its peers: as seen from outside',
          about: 'How many times better Kennel is than each peer at the same job; 1 is the same.',
          bars: parts.flatMap(({ ratios }) => ratios.flatMap(barsOf)),
        },
        {
          kind: 'bars',
          name: 'peers-cpu',
          title: 'Kennel beside its peers: by CPU time',
          about: 'How many times the CPU time of Kennel each peer takes for the same request; 1 is the same.',
          bars: parts.flatMap(({ cpuRatios }) => cpuRatios.flatMap(barsOf)),
        },
      ],
      notes: [`the peers: ${versions.join(', ')}`],
    }
  })
}

function headlineOf([identity]: readonly Part[]): string {
  const [seen = [], cpu = []] = [identity?.ratios, identity?.cpuRatios].map((rows) => rows?.[0]?.values)
  const times = NAMES.slice(1).map(
    (peer, index) =>
      `**${numberOf(seen[index + 1] ?? null, 1)}** times ${peer} (by CPU time ${numberOf(cpu[index + 1] ?? null, 1)})`,
  )
  return `requests for the identity: ${times.join(', ')}`
}

/** get-identity from the store, and the memory that it needed. */
export async function identityPart(sides: readonly Side[], run: Run): Promise<Part> {
  return await withServers(sides, {}, async (servers) => {
    const results = await run.alternate(
      servers.map(({ side, server }) => {
        const requests = side.clients.map(side.requests.identity)
        return { name: side.name, round: underLoad(server, { requests, seconds: run.seconds }) }
      }),
      ROUNDS,
    )
    const resident = servers.map(({ side, server }) => [side.name, residentMebibytes(server.pid)] as const)
    const memory = row('resident after it, MiB', new Map(resident))
    const { rows, ...ratios } = trafficPart('identity', results)
    return { rows: [...rows, memory], ...ratios }
  })
}

/** get-identity from the request alone. */
export async function statelessPart(sides: readonly Side[], run: Run): Promise<Part> {
  const able = sides.flatMap((side) => {
    const { stateless } = side.requests
    if (!stateless) return []
    const clients = side.clients.map(withCachedSession)
    return [{ ...side, clients, requests: { ...side.requests, identity: stateless } }]
  })
  return await withServers(able, { cached: true }, async (servers) => {
    const contestants = servers.map(({ side, server }) => {
      const requests = side.clients.map(side.requests.identity)
      return { name: side.name, round: underLoad(server, { requests, seconds: run.seconds }) }
    })
    return trafficPart('stateless', await run.alternate(contestants, ROUNDS))
  })
}

/** Refreshes of a session: with a new refresh token, except Better Auth, which has none. */
export async function refreshPart(sides: readonly Side[], run: Run): Promise<Part> {
  return await withServers(sides, { updateAge: 0 }, async (servers) => {
    const contestants = servers.map(({ side, server }) =>
      refreshing(side.name, server, {
        contestant: side.id,
        clients: side.clients.slice(-SESSIONS_PER_ROUND * (run.rounds(ROUNDS) + 1)),
        connections: CONNECTIONS,
        seconds: run.seconds,
      }),
    )
    return trafficPart('refresh', await run.alternate(contestants, ROUNDS))
  })
}

/** Password logins, which mostly consist of hashing. */
export async function loginPart(sides: readonly Side[], run: Run): Promise<Part> {
  const able = sides.filter(({ requests }) => requests.login)
  return await withServers(able, {}, async (servers) => {
    const contestants = servers.map(({ side: { name, requests, clients }, server }) => {
      const logins = clients.slice(0, LOGINS).flatMap(({ email }) => requests.login?.(email, PASSWORD) ?? [])
      const load = { requests: logins, amount: 2 * LOGINS, connections: LOGINS }
      return { name, round: underLoad(server, load) }
    })
    return trafficPart('login', await run.alternate(contestants, ROUNDS))
  })
}

type Start = { readonly milliseconds: number; readonly mebibytes: number }

/** From the start of the process to the first reply that names a user, and its memory at that time. */
export async function startPart(sides: readonly Side[], run: Run): Promise<Part> {
  const results = await run.alternate(sides.map(starting), ROUNDS)
  const milliseconds = compared('start to first identity, ms', results, (round) => round.milliseconds)
  const mebibytes = compared('resident after start, MiB', results, (round) => round.mebibytes)
  return {
    rows: [milliseconds, mebibytes],
    ratios: [
      ratiosOf('start', results, (round) => 1 / round.milliseconds),
      ratiosOf('memory', results, (round) => 1 / round.mebibytes),
    ],
    cpuRatios: [],
  }
}

function starting({ name, start, requests, clients: [client] }: Side): Contestant<Start> {
  if (!client) throw new Error('a client is needed')
  return {
    name,
    round: async () => {
      const begin = performance.now()
      const server = await start()
      await checkSuccess(server, requests.identity(client))
      const milliseconds = performance.now() - begin
      await pause(QUIET)
      const mebibytes = residentMebibytes(server.pid)
      await server.stop()
      return { milliseconds, mebibytes }
    },
  }
}

async function checkSuccess(server: ServerProcess, request: Parameters<typeof send>[1]): Promise<void> {
  const { status } = await send(server.address, request)
  if (status !== 200) throw new Error(`${server.address} answers with ${status}`)
}

type Running = { readonly side: Side; readonly server: ServerProcess }

/** Starts all sides, checks that their replies are correct, and stops them after the work. */
async function withServers(
  sides: readonly Side[],
  settings: PeerSettings,
  work: (servers: readonly Running[]) => Promise<Part>,
): Promise<Part> {
  const servers: Running[] = []
  try {
    for (const side of sides) {
      const server = await side.start(settings)
      servers.push({ side, server })
      const step = Math.max(1, Math.floor(side.clients.length / CHECKED))
      const some = side.clients.filter((_, index) => index % step === 0)
      await checkIdentities(server.address, side.requests.identity, some)
    }
    return await work(servers)
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()))
  }
}

function underLoad(server: ServerProcess, load: Partial<Load>): () => Promise<ServerTraffic> {
  const whole = { connections: CONNECTIONS, ...load, address: server.address }
  return () => withCpu(server, () => runJob<Traffic>('load/load', 'load', whole))
}

function trafficPart(job: string, results: readonly Results<ServerTraffic>[]): Part {
  return {
    rows: [
      compared(`${job}, requests/s`, results, (round) => round.perSecond),
      compared(`${job}, p99 ms`, results, (round) => round.p99),
      compared(`${job}, CPU µs/request`, results, (round) => round.cpuMicroseconds),
    ],
    ratios: [ratiosOf(job, results, (round) => round.perSecond)],
    cpuRatios: [ratiosOf(job, results, (round) => 1 / round.cpuMicroseconds)],
  }
}

/** The median of each side. */
function compared<R>(name: string, results: readonly Results<R>[], of: (round: R) => number): Row {
  return row(name, new Map(results.map((side) => [side.name, known(median(side.rounds.map(of)))])))
}

function row(name: string, values: ReadonlyMap<string, Value>): Row {
  return { name, values: NAMES.map((side) => values.get(side) ?? null) }
}

/** The ratios of Kennel's value to the peers' values, where more is better. */
function ratiosOf<R>(
  job: string,
  [kennel, ...peers]: readonly Results<R>[],
  good: (round: R) => number,
): Row {
  if (!kennel) throw new Error('Kennel is measured first')
  return row(job, new Map(peers.map((peer) => [peer.name, known(ratio(kennel, peer, good))])))
}

function barsOf({ name, values }: Row): Bars['bars'] {
  return values.flatMap((value, index) =>
    value === null ? [] : [{ name: `${name}, ${String(NAMES[index])}`, value }],
  )
}
