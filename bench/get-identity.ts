import { alternate, ratio, withCpu, type Contestant, type ServerTraffic } from './alternate.js'
import type { Load } from './load.js'
import { runJob, type ServerProcess } from './processes.js'
import { ask, startBareKoa } from './reply.js'
import { atLeast, cpuNote, trafficRow, TRAFFIC_COLUMNS, type Options, type Report } from './report.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from './seed.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'
import { inWorkplace } from './workplace.js'

const PATH = '/api/auth/get-identity'
const SESSIONS = 10_000
const CONNECTIONS = 32

/** The current identity, stateful and from SQLite, against bare Koa; each connection has sessions of its own. */
export async function measureGetIdentity({ quick }: Options): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    // Their account ids have the same number of digits, so that all replies are equally long.
    const asking = clients.slice(SESSIONS / 10)
    const service = await startService(place)
    const peer = await startBareKoa(await ask(service.address + PATH, headersOfFirst(asking)))
    const seconds = quick ? 1 : 4
    const [ours, bare] = await alternate(
      [contestant('get-identity', service, asking, seconds), contestant('bare Koa', peer, asking, seconds)],
      quick ? 2 : 5,
    )
    await Promise.all([service.stop(), peer.stop()])
    if (!ours || !bare) throw new Error('two were measured')
    const throughput = ratio(ours, bare, (round) => round.perSecond)
    return {
      title: `get-identity, ${SESSIONS} sessions, ${CONNECTIONS} connections`,
      columns: TRAFFIC_COLUMNS,
      rows: [trafficRow(ours), trafficRow(bare)],
      claims: [
        atLeast('requests per second of bare Koa', 0.35, throughput),
        atLeast('aim: requests per second of bare Koa', 0.45, throughput),
      ],
      notes: [cpuNote(ours, bare)],
    }
  })
}

function headersOfFirst([first]: readonly Client[]) {
  if (!first) throw new Error('a session is needed')
  return identityHeaders(first)
}

function contestant(
  name: string,
  server: ServerProcess,
  clients: readonly Client[],
  seconds: number,
): Contestant<ServerTraffic> {
  const requests = clients.map((client) => ({
    method: 'GET' as const,
    path: PATH,
    headers: identityHeaders(client),
  }))
  const load: Load = { address: server.address, connections: CONNECTIONS, requests, seconds }
  return { name, round: () => withCpu(server, () => runJob<Traffic>('load', 'load', load)) }
}
