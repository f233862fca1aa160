import { alternate, ratio, withCpu, type Contestant, type ServerTraffic } from './alternate.js'
import type { BareKoaMongodbJob } from './bare-koa-mongodb.js'
import type { Load } from './load.js'
import { runJob, script, startServer, type ServerProcess } from './processes.js'
import { ask, type Headers } from './reply.js'
import { atLeast, cpuNote, trafficRow, TRAFFIC_COLUMNS, type Options, type Report } from './report.js'
import { identityHeaders, seedAccounts, seedSessions } from './seed.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'
import { onMongodb } from './mongodb-workplace.js'

const PATH = '/api/auth/get-identity'
const SESSIONS = 10_000
const CONNECTIONS = 32

/** The current identity from MongoDB, against bare Koa that makes one indexed `findOne`. */
export async function measureMongodbGetIdentity({ quick }: Options): Promise<Report> {
  return await onMongodb(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const asking = clients.slice(SESSIONS / 10)
    const headers = asking.map(identityHeaders)
    const service = await startService(place)
    const job: BareKoaMongodbJob = {
      url: place.database,
      reply: await ask(service.address + PATH, headers[0] ?? {}),
    }
    const peer = await startServer({ args: [script('bare-koa-mongodb')], place: 'server', input: job })
    const digests = asking.map(({ digest }) => ({ 'X-Digest': digest }))
    const seconds = quick ? 1 : 4
    const [ours, bare] = await alternate(
      [
        contestant('get-identity', service, headers, seconds),
        contestant('bare Koa with findOne', peer, digests, seconds),
      ],
      quick ? 2 : 5,
    )
    await Promise.all([service.stop(), peer.stop()])
    if (!ours || !bare) throw new Error('two were measured')
    return {
      title: `MongoDB: get-identity, ${SESSIONS} sessions, ${CONNECTIONS} connections`,
      columns: TRAFFIC_COLUMNS,
      rows: [trafficRow(ours), trafficRow(bare)],
      claims: [
        atLeast(
          'requests per second of bare Koa with findOne',
          0.7,
          ratio(ours, bare, (round) => round.perSecond),
        ),
      ],
      notes: [cpuNote(ours, bare)],
    }
  })
}

function contestant(
  name: string,
  server: ServerProcess,
  headers: readonly Headers[],
  seconds: number,
): Contestant<ServerTraffic> {
  const requests = headers.map((one) => ({ method: 'GET' as const, path: PATH, headers: one }))
  const load: Load = { address: server.address, connections: CONNECTIONS, requests, seconds }
  return { name, round: () => withCpu(server, () => runJob<Traffic>('load', 'load', load)) }
}
