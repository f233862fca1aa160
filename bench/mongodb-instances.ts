import { availableParallelism } from 'node:os'
import { alternate, ratio, type Contestant } from './alternate.js'
import type { Load } from './load.js'
import { onMongodb } from './mongodb-workplace.js'
import { runJob, type ServerProcess } from './processes.js'
import { atLeast, type Options, type Report } from './report.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from './seed.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'

const PATH = '/api/auth/get-identity'
const SESSIONS = 2_000
const CONNECTIONS = 32

/** Two instances over one database against one of them; each has half of the same clients. */
export async function measureMongodbInstances({ quick }: Options): Promise<Report> {
  return await onMongodb(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const services = [await startService(place, 'anywhere'), await startService(place, 'anywhere')]
    const seconds = quick ? 1 : 4
    const [one, two] = await alternate(
      [
        contestant('one instance', services.slice(0, 1), clients, seconds),
        contestant('two instances', services, clients, seconds),
      ],
      quick ? 2 : 5,
    )
    await Promise.all(services.map((service) => service.stop()))
    if (!one || !two) throw new Error('two were measured')
    const perSecond = ({ rounds }: typeof one) => Math.max(...rounds).toFixed(0)
    return {
      title: `MongoDB: get-identity by instances, ${availableParallelism()} cores for all of it`,
      columns: ['', 'requests/s, best round'],
      rows: [one, two].map((results) => [results.name, perSecond(results)]),
      claims: [
        atLeast(
          'two instances per one',
          1.7,
          ratio(two, one, (round) => round),
        ),
      ],
      notes: ['the instances, the load and the MongoDB server share the cores'],
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
      const all = await Promise.all(loads.map((load) => runJob<Traffic>('load', 'anywhere', load)))
      return all.reduce((sum, traffic) => sum + traffic.perSecond, 0)
    },
  }
}
