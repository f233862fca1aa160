import { ratio, withCpu, type Contestant, type ServerTraffic } from '../alternate.js'
import type { BareKoaMongodbJob } from '../bare/koa-mongodb.js'
import type { Load } from '../load/load.js'
import { runJob, script, startServer, type ServerProcess } from '../workplace/processes.js'
import { ask, type Headers } from '../workplace/reply.js'
import { atLeast, cpuNote, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { identityHeaders, seedAccounts, seedSessions } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import type { Traffic } from '../load/traffic.js'
import { onMongodb } from '../workplace/mongodb-workplace.js'

const PATH = '/api/auth/get-identity'
const SESSIONS = 10_000
const CONNECTIONS = 32

/** The current identity from MongoDB, against bare Koa that makes one indexed `findOne`. */
export async function measureMongodbGetIdentity(run: Run): Promise<Report> {
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
    const peer = await startServer({ args: [script('bare/koa-mongodb')], place: 'server', input: job })
    const digests = asking.map(({ digest }) => ({ 'X-Digest': digest }))
    const { seconds } = run
    const [ours, bare] = await run.alternate([
      contestant('get-identity', service, headers, seconds),
      contestant('bare Koa with findOne', peer, digests, seconds),
    ])
    await Promise.all([service.stop(), peer.stop()])
    if (!ours || !bare) throw new Error('two were measured')
    return {
      setting: `${thousands(SESSIONS)} sessions, ${CONNECTIONS} connections, beside a Koa handler that makes one indexed \`findOne\` and sends the same bytes.`,
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
  return { name, round: () => withCpu(server, () => runJob<Traffic>('load/load', 'load', load)) }
}
