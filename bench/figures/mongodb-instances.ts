import { availableParallelism } from 'node:os'
import { ratio, type Contestant } from '../alternate.js'
import type { Load } from '../load/load.js'
import { onMongodb } from '../workplace/mongodb-workplace.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import { atLeast, type Report } from '../report.js'
import type { Run } from '../run.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import type { Traffic } from '../load/traffic.js'

const PATH = '/api/auth/get-identity'
const SESSIONS = 2_000
const CONNECTIONS = 32

/** Two instances on one database against a single instance; each has half of the same clients. */
export async function measureMongodbInstances(run: Run): Promise<Report> {
  return await onMongodb(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const services = [await startService(place, 'anywhere'), await startService(place, 'anywhere')]
    const { seconds } = run
    const [one, two] = await run.alternate([
      contestant('one instance', services.slice(0, 1), clients, seconds),
      contestant('two instances', services, clients, seconds),
    ])
    await Promise.all(services.map((service) => service.stop()))
    if (!one || !two) throw new Error('two were measured')
    return {
      setting: `get-identity of two instances on one database, and of a single instance; instances, load and MongoDB server share ${availableParallelism()} cores.`,
      columns: [{ name: 'requests/s, best round', digits: 0 }],
      rows: [one, two].map(({ name, rounds }) => ({ name, values: [Math.max(...rounds)] })),
      claims: [
        atLeast(
          'two instances per one',
          1.7,
          ratio(two, one, (round) => round),
        ),
      ],
    }
  })
}

function contestant(
  name: string,
  services: readonly ServerProcess[],
  clients: readonly Client[],
  seconds: number,
): Contestant<number> {
  const loads = services.map((service, index): Load => {
    const share = clients.filter((_, at) => at % services.length === index)
    const requests = share.map((client) => ({
      method: 'GET' as const,
      path: PATH,
      headers: identityHeaders(client),
    }))
    return { address: service.address, connections: CONNECTIONS / services.length, requests, seconds }
  })
  return {
    name,
    round: async () => {
      const all = await Promise.all(loads.map((load) => runJob<Traffic>('load/load', 'anywhere', load)))
      return all.reduce((sum, traffic) => sum + traffic.perSecond, 0)
    },
  }
}
